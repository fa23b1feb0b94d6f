// Made from docs/openapi.json by `npm run docs`.
import type { Pages } from './pages.ts';
import type { components, operations } from './schema.ts';
import { Transport } from './transport.ts';
import type { LettermillOptions, RequestOptions } from './transport.ts';

type Schemas = components['schemas'];
type Query<O extends keyof operations> = Omit<NonNullable<operations[O]['parameters']['query']>, 'cursor'>;

/** A Lettermill and a key: one method for each operation. */
export class Lettermill {
  private readonly transport: Transport;

  constructor(options: LettermillOptions) {
    this.transport = new Transport(options);
  }

  /** Send one message, or one to each of up to 50 recipients. A repeated `Idempotency-Key` with the same body replays the stored response (`X-Idempotent-Replay: true`). A recipient that is suppressed, unsubscribed or over a limit is skipped, not failed. */
  send(body: Schemas['Message'], options?: RequestOptions): Promise<Schemas['SendResponse']> {
    return this.transport.call({ method: 'POST', path: `/v1/send`, body, keyed: true }, 'data', options) as Promise<Schemas['SendResponse']>;
  }

  /** Send up to 1,000 messages. Each message succeeds or fails separately: check every entry of `results`, even if the status is 200. */
  sendBatch(body: Schemas['SendBatchRequest'], options?: RequestOptions): Promise<Schemas['SendBatchResponse']> {
    return this.transport.call({ method: 'POST', path: `/v1/send/batch`, body, keyed: true }, 'data', options) as Promise<Schemas['SendBatchResponse']>;
  }

  /** Record a product event and start the workflows that it triggers. The only operation that accepts a public key; with it, only `name`, `email` and `data` are allowed. `triggered` lists what was dispatched: enrollment happens after the response and can be refused. With `optIn: "double"` (an extension of this implementation), the person is asked to confirm, and no contact is created until they do. */
  ingestEvent(body: Schemas['IngestEventRequest'], options?: RequestOptions): Promise<Schemas['IngestedEvent']> {
    return this.transport.call({ method: 'POST', path: `/v1/events`, body, keyed: true }, 'data', options) as Promise<Schemas['IngestedEvent']>;
  }

  /** List events, newest first. */
  listEvents(query?: Query<'listEvents'>, options?: RequestOptions): Pages<Schemas['Event']> {
    return this.transport.pages({ method: 'GET', path: `/v1/events`, query }, options) as Pages<Schemas['Event']>;
  }

  /** List the names of all events, last seen first. With `limit` or `cursor`, pages are sorted by name; within a page, the last seen comes first. */
  listEventNames(query?: Query<'listEventNames'>, options?: RequestOptions): Pages<Schemas['EventName']> {
    return this.transport.pages({ method: 'GET', path: `/v1/events/names`, query: { limit: 100, ...query } }, options) as Pages<Schemas['EventName']>;
  }

  /** Count events by hour or day. */
  getEventStats(query?: Query<'getEventStats'>, options?: RequestOptions): Promise<Schemas['EventStats']> {
    return this.transport.call({ method: 'GET', path: `/v1/events/stats`, query }, 'data', options) as Promise<Schemas['EventStats']>;
  }

  /** Count an event, and list what refers to it. */
  getEventUsage(name: string, options?: RequestOptions): Promise<Schemas['EventUsage']> {
    return this.transport.call({ method: 'GET', path: `/v1/events/${encodeURIComponent(name)}/usage` }, 'data', options) as Promise<Schemas['EventUsage']>;
  }

  /** Delete all events of one of the caller's names. */
  deleteEvents(name: string, options?: RequestOptions): Promise<Schemas['RemovedEvents']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/events/${encodeURIComponent(name)}` }, 'data', options) as Promise<Schemas['RemovedEvents']>;
  }

  /** List contacts, newest first by default. `search` finds a substring of email, first or last name, case-insensitive; it is not a pattern. */
  listContacts(query?: Query<'listContacts'>, options?: RequestOptions): Pages<Schemas['Contact']> {
    return this.transport.pages({ method: 'GET', path: `/v1/contacts`, query }, options) as Pages<Schemas['Contact']>;
  }

  /** Create or update a contact. 201 if it was created, 200 if it existed. Absent fields keep their value. With `optIn: "double"` (an extension of this implementation), 202 once the person is asked to confirm. The contact exists only after they do. */
  upsertContact(body: Schemas['UpsertContactRequest'], options?: RequestOptions): Promise<Schemas['UpsertedContact']> {
    return this.transport.call({ method: 'POST', path: `/v1/contacts`, body }, 'data', options) as Promise<Schemas['UpsertedContact']>;
  }

  /** Subscribe, unsubscribe, delete or suppress up to 1,000 contacts. */
  changeContacts(body: Schemas['ChangeContactsRequest'], options?: RequestOptions): Promise<Schemas['BulkResult']> {
    return this.transport.call({ method: 'POST', path: `/v1/contacts/bulk`, body }, 'data', options) as Promise<Schemas['BulkResult']>;
  }

  /** Import contacts from CSV, as a background job. A `multipart/form-data` body with a part `file`, or a `text/csv` body. Columns are mapped by their headers; if an email appears twice, the last row wins. For an `Idempotency-Key` the same body is the same bytes of the file with the same query. */
  importContacts(file: string | Blob | Uint8Array, query?: Query<'importContacts'>, options?: RequestOptions): Promise<Schemas['StartedImport']> {
    return this.transport.call({ method: 'POST', path: `/v1/contacts/import`, query, file, fileType: 'text/csv', keyed: true }, 'data', options) as Promise<Schemas['StartedImport']>;
  }

  /** List imports, newest first. An extension of this implementation. Imports of the last 30 days, each with its progress; for rejected rows see `GET /v1/contacts/import/{id}`. */
  listImports(query?: Query<'listImports'>, options?: RequestOptions): Pages<Schemas['ImportSummary']> {
    return this.transport.pages({ method: 'GET', path: `/v1/contacts/import`, query }, options) as Pages<Schemas['ImportSummary']>;
  }

  /** Get the progress of an import. */
  getImport(id: string, options?: RequestOptions): Promise<Schemas['ImportJob']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/import/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['ImportJob']>;
  }

  /** Export contacts as CSV. Importing the file again changes nothing. */
  exportContacts(query?: Query<'exportContacts'>, options?: RequestOptions): Promise<string> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/export`, query }, 'text', options) as Promise<string>;
  }

  /** Discover the custom fields in use. */
  listContactFields(query?: Query<'listContactFields'>, options?: RequestOptions): Pages<Schemas['ContactField']> {
    return this.transport.pages({ method: 'GET', path: `/v1/contacts/fields`, query: { limit: 100, ...query } }, options) as Pages<Schemas['ContactField']>;
  }

  /** List the values of a field, most frequent first. */
  listContactFieldValues(field: string, query?: Query<'listContactFieldValues'>, options?: RequestOptions): Promise<Schemas['FieldValues']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/fields/${encodeURIComponent(field)}/values`, query }, 'data', options) as Promise<Schemas['FieldValues']>;
  }

  /** Count the contacts with a field, and list what refers to it. */
  getContactFieldUsage(field: string, options?: RequestOptions): Promise<Schemas['FieldUsage']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/fields/${encodeURIComponent(field)}/usage` }, 'data', options) as Promise<Schemas['FieldUsage']>;
  }

  /** Remove a field from every contact permanently. */
  deleteContactField(field: string, options?: RequestOptions): Promise<Schemas['RemovedField']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/contacts/fields/${encodeURIComponent(field)}` }, 'data', options) as Promise<Schemas['RemovedField']>;
  }

  /** Get a contact by id or address. */
  getContact(id: string, options?: RequestOptions): Promise<Schemas['Contact']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Contact']>;
  }

  /** Delete a contact. Its memberships and running executions are deleted too. Its e-mails and events remain without personal data: see `GET /v1/contacts/{id}/erasure`. */
  deleteContact(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/contacts/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Get the timeline of a contact, newest first. */
  getContactTimeline(id: string, query?: Query<'getContactTimeline'>, options?: RequestOptions): Pages<Schemas['TimelineEntry']> {
    return this.transport.pages({ method: 'GET', path: `/v1/contacts/${encodeURIComponent(id)}/timeline`, query }, options) as Pages<Schemas['TimelineEntry']>;
  }

  /** List e-mails, newest first. With `status`, `source` or `subject`, a page examines up to 50,000 e-mails if no index applies; with `to` or `contactId` also for `campaignId`, `workflowId` and `tag`; with `status=scheduled` also for `from` and `until`. It can then have fewer rows than `limit`, even none; `nextCursor` continues where it stopped. `nextCursor` is null only at the end. */
  listEmails(query?: Query<'listEmails'>, options?: RequestOptions): Pages<Schemas['EmailSummary']> {
    return this.transport.pages({ method: 'GET', path: `/v1/emails`, query }, options) as Pages<Schemas['EmailSummary']>;
  }

  /** Get an e-mail with its rendered content. In links that act for the recipient, the token is replaced by `…`. A key with the scope `sending` does not see the content: the response has `contentHidden`. */
  getEmail(id: string, options?: RequestOptions): Promise<Schemas['Email']> {
    return this.transport.call({ method: 'GET', path: `/v1/emails/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Email']>;
  }

  /** Cancel a scheduled e-mail. Either the e-mail is cancelled and never sent, or the response is 409 and it is sent. */
  cancelEmail(id: string, options?: RequestOptions): Promise<Schemas['CancelledEmail']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/emails/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['CancelledEmail']>;
  }

  /** Reschedule a scheduled e-mail. An extension of this implementation. The new time can be earlier or later. Either the e-mail is sent at the new time, or the response is 409 and it is sent at its previous time or was cancelled. */
  rescheduleEmail(id: string, body: Schemas['RescheduleEmailRequest'] = {}, options?: RequestOptions): Promise<Schemas['EmailSummary']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/emails/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['EmailSummary']>;
  }

  /** List templates. */
  listTemplates(query?: Query<'listTemplates'>, options?: RequestOptions): Pages<Schemas['Template']> {
    return this.transport.pages({ method: 'GET', path: `/v1/templates`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Template']>;
  }

  /** Create a template. */
  createTemplate(body: Schemas['CreateTemplateRequest'], options?: RequestOptions): Promise<Schemas['Template']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates`, body }, 'data', options) as Promise<Schemas['Template']>;
  }

  /** Get a template. */
  getTemplate(id: string, options?: RequestOptions): Promise<Schemas['Template']> {
    return this.transport.call({ method: 'GET', path: `/v1/templates/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Template']>;
  }

  /** Update a template. A change to subject, body, variants, fromName or fromEmail bumps `version`; name or type alone, or equal content, does not. */
  updateTemplate(id: string, body: Schemas['UpdateTemplateRequest'] = {}, options?: RequestOptions): Promise<Schemas['Template']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/templates/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Template']>;
  }

  /** Delete a template that no active workflow uses. */
  deleteTemplate(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/templates/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** List the versions of a template, newest first. */
  listTemplateVersions(id: string, query?: Query<'listTemplateVersions'>, options?: RequestOptions): Pages<Schemas['TemplateVersion']> {
    return this.transport.pages({ method: 'GET', path: `/v1/templates/${encodeURIComponent(id)}/versions`, query: { limit: 100, ...query } }, options) as Pages<Schemas['TemplateVersion']>;
  }

  /** Duplicate a template. */
  duplicateTemplate(id: string, options?: RequestOptions): Promise<Schemas['Template']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates/${encodeURIComponent(id)}/duplicate` }, 'data', options) as Promise<Schemas['Template']>;
  }

  /** Publish the content of a stored version as the newest version. */
  rollBackTemplate(id: string, body: Schemas['RollBackTemplateRequest'], options?: RequestOptions): Promise<Schemas['Template']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates/${encodeURIComponent(id)}/rollback`, body }, 'data', options) as Promise<Schemas['Template']>;
  }

  /** Send a template to one address, its subject prefixed with [Test]. */
  testSendTemplate(id: string, body: Schemas['TestSendTemplateRequest'], options?: RequestOptions): Promise<Schemas['TestSent']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates/${encodeURIComponent(id)}/test-send`, body }, 'data', options) as Promise<Schemas['TestSent']>;
  }

  /** List domains. */
  listDomains(query?: Query<'listDomains'>, options?: RequestOptions): Pages<Schemas['Domain']> {
    return this.transport.pages({ method: 'GET', path: `/v1/domains`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Domain']>;
  }

  /** Add a sending domain. The domain gets new DKIM keys; `dnsRecords` lists what to publish. It is checked every five minutes for 72 hours. */
  createDomain(body: Schemas['CreateDomainRequest'], options?: RequestOptions): Promise<Schemas['Domain']> {
    return this.transport.call({ method: 'POST', path: `/v1/domains`, body }, 'data', options) as Promise<Schemas['Domain']>;
  }

  /** Get a domain with the DNS records to publish. */
  getDomain(id: string, options?: RequestOptions): Promise<Schemas['Domain']> {
    return this.transport.call({ method: 'GET', path: `/v1/domains/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Domain']>;
  }

  /** Remove a domain that nothing sends from. The response is 409 `in_use` while a campaign, a workflow or a waiting message sends from it. With `cancelWaiting`, waiting messages are cancelled first with the reason `domain_removed`, and their credits are refunded. */
  deleteDomain(id: string, query?: Query<'deleteDomain'>, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/domains/${encodeURIComponent(id)}`, query }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Check the DNS records now. At most once every ten seconds. The response arrives within eight seconds; a longer check continues in the background, and `lastCheckedAt` shows whether the response includes it. A domain that failed is checked for another 72 hours. */
  verifyDomain(id: string, options?: RequestOptions): Promise<Schemas['Domain']> {
    return this.transport.call({ method: 'POST', path: `/v1/domains/${encodeURIComponent(id)}/verify` }, 'data', options) as Promise<Schemas['Domain']>;
  }

  /** List segments. */
  listSegments(query?: Query<'listSegments'>, options?: RequestOptions): Pages<Schemas['Segment']> {
    return this.transport.pages({ method: 'GET', path: `/v1/segments`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Segment']>;
  }

  /** Create a segment. A dynamic segment requires `conditions`; a static segment accepts none. */
  createSegment(body: Schemas['CreateSegmentRequest'], options?: RequestOptions): Promise<Schemas['Segment']> {
    return this.transport.call({ method: 'POST', path: `/v1/segments`, body }, 'data', options) as Promise<Schemas['Segment']>;
  }

  /** Count and sample the contacts that conditions match. */
  previewSegment(body: Schemas['PreviewSegmentRequest'], options?: RequestOptions): Promise<Schemas['SegmentPreview']> {
    return this.transport.call({ method: 'POST', path: `/v1/segments/preview`, body }, 'data', options) as Promise<Schemas['SegmentPreview']>;
  }

  /** Get a segment. */
  getSegment(id: string, options?: RequestOptions): Promise<Schemas['Segment']> {
    return this.transport.call({ method: 'GET', path: `/v1/segments/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Segment']>;
  }

  /** Update a segment; changed conditions are applied at once. */
  updateSegment(id: string, body: Schemas['UpdateSegmentRequest'] = {}, options?: RequestOptions): Promise<Schemas['Segment']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/segments/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Segment']>;
  }

  /** Delete a segment that nothing refers to. */
  deleteSegment(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/segments/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Recompute the members. */
  refreshSegment(id: string, options?: RequestOptions): Promise<Schemas['Segment']> {
    return this.transport.call({ method: 'POST', path: `/v1/segments/${encodeURIComponent(id)}/refresh` }, 'data', options) as Promise<Schemas['Segment']>;
  }

  /** List the members of a segment. */
  listSegmentMembers(id: string, query?: Query<'listSegmentMembers'>, options?: RequestOptions): Pages<Schemas['SegmentMember']> {
    return this.transport.pages({ method: 'GET', path: `/v1/segments/${encodeURIComponent(id)}/members`, query }, options) as Pages<Schemas['SegmentMember']>;
  }

  /** Add up to 1,000 contacts to a static segment. */
  addSegmentMembers(id: string, body: Schemas['AddSegmentMembersRequest'], options?: RequestOptions): Promise<Schemas['AddedMembers']> {
    return this.transport.call({ method: 'POST', path: `/v1/segments/${encodeURIComponent(id)}/members`, body }, 'data', options) as Promise<Schemas['AddedMembers']>;
  }

  /** Remove a contact from a static segment. */
  removeSegmentMember(id: string, contactId: string, options?: RequestOptions): Promise<Schemas['RemovedMember']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/segments/${encodeURIComponent(id)}/members/${encodeURIComponent(contactId)}` }, 'data', options) as Promise<Schemas['RemovedMember']>;
  }

  /** List campaigns. */
  listCampaigns(query?: Query<'listCampaigns'>, options?: RequestOptions): Pages<Schemas['Campaign']> {
    return this.transport.pages({ method: 'GET', path: `/v1/campaigns`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Campaign']>;
  }

  /** Create a draft. */
  createCampaign(body: Schemas['CreateCampaignRequest'], options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns`, body }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Count the current recipients of a campaign. */
  countAudience(body: Schemas['CountAudienceRequest'], options?: RequestOptions): Promise<Schemas['AudienceCount']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/audience-count`, body }, 'data', options) as Promise<Schemas['AudienceCount']>;
  }

  /** Get a campaign with its estimated audience. */
  getCampaign(id: string, options?: RequestOptions): Promise<Schemas['CampaignDetail']> {
    return this.transport.call({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['CampaignDetail']>;
  }

  /** Update a draft. You can also change a running recurring campaign, except its schedule. Changes apply to future turns. */
  updateCampaign(id: string, body: Schemas['UpdateCampaignRequest'] = {}, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/campaigns/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Delete a campaign that is neither scheduled nor sending. */
  deleteCampaign(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/campaigns/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Send a draft now, or schedule it. */
  sendCampaign(id: string, body: Schemas['SendCampaignRequest'] = {}, options?: RequestOptions): Promise<Schemas['StartedCampaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/send`, body, keyed: true }, 'data', options) as Promise<Schemas['StartedCampaign']>;
  }

  /** Cancel a scheduled or sending campaign. Messages already handed over stay sent; pending recipients are skipped. */
  cancelCampaign(id: string, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/cancel` }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Duplicate a campaign as a draft. */
  duplicateCampaign(id: string, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/duplicate` }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Send a campaign again to recipients that did not open it. Creates a static segment of them and a new campaign to it. */
  resendToNonOpeners(id: string, body: Schemas['ResendToNonOpenersRequest'] = {}, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/resend-non-openers`, body }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Send the content to one address, its subject prefixed with [Test]. */
  testSendCampaign(id: string, body: Schemas['TestSendCampaignRequest'], options?: RequestOptions): Promise<Schemas['TestSent']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/test-send`, body }, 'data', options) as Promise<Schemas['TestSent']>;
  }

  /** List the recipients of a campaign. */
  listCampaignRecipients(id: string, query?: Query<'listCampaignRecipients'>, options?: RequestOptions): Pages<Schemas['CampaignRecipient']> {
    return this.transport.pages({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}/recipients`, query }, options) as Pages<Schemas['CampaignRecipient']>;
  }

  /** List the clicks by link, most clicked first. With `limit` or `cursor`, each page has its own most clicked first. */
  listCampaignLinks(id: string, query?: Query<'listCampaignLinks'>, options?: RequestOptions): Pages<Schemas['CampaignLink']> {
    return this.transport.pages({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}/links`, query: { limit: 100, ...query } }, options) as Pages<Schemas['CampaignLink']>;
  }

  /** List workflows with their graphs. */
  listWorkflows(query?: Query<'listWorkflows'>, options?: RequestOptions): Pages<Schemas['Workflow']> {
    return this.transport.pages({ method: 'GET', path: `/v1/workflows`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Workflow']>;
  }

  /** Create a draft workflow. */
  createWorkflow(body: Schemas['CreateWorkflowRequest'], options?: RequestOptions): Promise<Schemas['Workflow']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows`, body }, 'data', options) as Promise<Schemas['Workflow']>;
  }

  /** Get an execution with its steps. */
  getExecution(executionId: string, options?: RequestOptions): Promise<Schemas['ExecutionDetail']> {
    return this.transport.call({ method: 'GET', path: `/v1/workflows/executions/${encodeURIComponent(executionId)}` }, 'data', options) as Promise<Schemas['ExecutionDetail']>;
  }

  /** Get a workflow. */
  getWorkflow(id: string, options?: RequestOptions): Promise<Schemas['Workflow']> {
    return this.transport.call({ method: 'GET', path: `/v1/workflows/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Workflow']>;
  }

  /** Update, activate or pause a workflow. Activating checks the whole graph: one `invalid_graph` detail for each error; translations that are missing are named in `X-Lettermill-Warning`. Executions keep the graph they were enrolled with. */
  updateWorkflow(id: string, body: Schemas['UpdateWorkflowRequest'] = {}, options?: RequestOptions): Promise<Schemas['Workflow']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/workflows/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Workflow']>;
  }

  /** Delete a workflow without running executions. */
  deleteWorkflow(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/workflows/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Duplicate a workflow as a draft. */
  duplicateWorkflow(id: string, options?: RequestOptions): Promise<Schemas['Workflow']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows/${encodeURIComponent(id)}/duplicate` }, 'data', options) as Promise<Schemas['Workflow']>;
  }

  /** Enroll a contact in an active workflow. */
  enrollContact(id: string, body: Schemas['EnrollContactRequest'], options?: RequestOptions): Promise<Schemas['EnrolledExecution']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows/${encodeURIComponent(id)}/enroll`, body, keyed: true }, 'data', options) as Promise<Schemas['EnrolledExecution']>;
  }

  /** List the executions of a workflow. */
  listExecutions(id: string, query?: Query<'listExecutions'>, options?: RequestOptions): Pages<Schemas['Execution']> {
    return this.transport.pages({ method: 'GET', path: `/v1/workflows/${encodeURIComponent(id)}/executions`, query }, options) as Pages<Schemas['Execution']>;
  }

  /** Cancel every execution in progress. */
  cancelAllExecutions(id: string, options?: RequestOptions): Promise<Schemas['CancelledExecutions']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows/${encodeURIComponent(id)}/executions/cancel-all` }, 'data', options) as Promise<Schemas['CancelledExecutions']>;
  }

  /** Cancel an execution. */
  cancelExecution(id: string, executionId: string, options?: RequestOptions): Promise<Schemas['Execution']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows/${encodeURIComponent(id)}/executions/${encodeURIComponent(executionId)}/cancel` }, 'data', options) as Promise<Schemas['Execution']>;
  }

  /** List webhook endpoints. */
  listWebhooks(query?: Query<'listWebhooks'>, options?: RequestOptions): Pages<Schemas['Webhook']> {
    return this.transport.pages({ method: 'GET', path: `/v1/webhooks`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Webhook']>;
  }

  /** Register a webhook endpoint. `secret` is returned only here and after a rotation. */
  createWebhook(body: Schemas['CreateWebhookRequest'], options?: RequestOptions): Promise<Schemas['RegisteredWebhook']> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks`, body }, 'data', options) as Promise<Schemas['RegisteredWebhook']>;
  }

  /** Update, enable or disable a webhook endpoint, or rotate its secret. */
  updateWebhook(id: string, body: Schemas['UpdateWebhookRequest'] = {}, options?: RequestOptions): Promise<Schemas['Webhook']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/webhooks/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Webhook']>;
  }

  /** Remove an endpoint with its deliveries. */
  deleteWebhook(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/webhooks/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** List deliveries, newest first. */
  listDeliveries(id: string, query?: Query<'listDeliveries'>, options?: RequestOptions): Pages<Schemas['Delivery']> {
    return this.transport.pages({ method: 'GET', path: `/v1/webhooks/${encodeURIComponent(id)}/deliveries`, query }, options) as Pages<Schemas['Delivery']>;
  }

  /** Deliver the same event again. */
  replayDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<Schemas['Delivery']> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/replay` }, 'data', options) as Promise<Schemas['Delivery']>;
  }

  /** List suppressions, newest first. */
  listSuppressions(query?: Query<'listSuppressions'>, options?: RequestOptions): Pages<Schemas['Suppression']> {
    return this.transport.pages({ method: 'GET', path: `/v1/suppressions`, query }, options) as Pages<Schemas['Suppression']>;
  }

  /** Suppress an address. If the address is already suppressed, the response is 200 with the unchanged record. */
  createSuppression(body: Schemas['CreateSuppressionRequest'], options?: RequestOptions): Promise<Schemas['Suppression']> {
    return this.transport.call({ method: 'POST', path: `/v1/suppressions`, body }, 'data', options) as Promise<Schemas['Suppression']>;
  }

  /** Check whether an address is suppressed. */
  checkSuppression(query: Query<'checkSuppression'>, options?: RequestOptions): Promise<Schemas['SuppressionState']> {
    return this.transport.call({ method: 'GET', path: `/v1/suppressions/check`, query }, 'data', options) as Promise<Schemas['SuppressionState']>;
  }

  /** Get a suppression by id or address. An address that is not suppressed is a 200, not a 404. */
  getSuppression(id: string, options?: RequestOptions): Promise<Schemas['SuppressionState']> {
    return this.transport.call({ method: 'GET', path: `/v1/suppressions/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['SuppressionState']>;
  }

  /** Remove a suppression by id or address. */
  deleteSuppression(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/suppressions/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Change the note of a suppression, by id or address. An extension of this implementation. */
  updateSuppression(id: string, body: Schemas['UpdateSuppressionRequest'], options?: RequestOptions): Promise<Schemas['Suppression']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/suppressions/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Suppression']>;
  }

  /** Get the counts and rates of a time span. Counted in whole hours. Test-mode traffic is excluded; opens and clicks are unique per e-mail. */
  getStats(query?: Query<'getStats'>, options?: RequestOptions): Promise<Schemas['Stats']> {
    return this.transport.call({ method: 'GET', path: `/v1/stats`, query }, 'data', options) as Promise<Schemas['Stats']>;
  }

  /** Get the funnel of a workflow, node by node. */
  getWorkflowStats(id: string, options?: RequestOptions): Promise<Schemas['WorkflowStats']> {
    return this.transport.call({ method: 'GET', path: `/v1/stats/workflows/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['WorkflowStats']>;
  }

  /** Verify an address without sending to it. Bad syntax is a verdict (`undeliverable`), not a 422. */
  verifyAddress(body: Schemas['VerifyAddressRequest'], options?: RequestOptions): Promise<Schemas['AddressVerdict']> {
    return this.transport.call({ method: 'POST', path: `/v1/verify`, body }, 'data', options) as Promise<Schemas['AddressVerdict']>;
  }

  /** Get usage, caps, plan and reputation. */
  getBilling(options?: RequestOptions): Promise<Schemas['Billing']> {
    return this.transport.call({ method: 'GET', path: `/v1/billing` }, 'data', options) as Promise<Schemas['Billing']>;
  }

  /** Change monthly caps, or downgrade to the free plan. */
  updateBilling(body: Schemas['UpdateBillingRequest'], options?: RequestOptions): Promise<Schemas['Nothing']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/billing`, body }, 'data', options) as Promise<Schemas['Nothing']>;
  }

  /** Accept a message as if it had arrived by mail. */
  receiveMessage(body: Schemas['ReceiveMessageRequest'], options?: RequestOptions): Promise<Schemas['ReceivedMessage']> {
    return this.transport.call({ method: 'POST', path: `/v1/inbound`, body }, 'data', options) as Promise<Schemas['ReceivedMessage']>;
  }

  /** List received messages, newest first. */
  listInbound(query?: Query<'listInbound'>, options?: RequestOptions): Pages<Schemas['InboundMessage']> {
    return this.transport.pages({ method: 'GET', path: `/v1/inbound`, query }, options) as Pages<Schemas['InboundMessage']>;
  }

  /** Check the health of the service and its dependencies. */
  getHealth(options?: RequestOptions): Promise<Schemas['Health']> {
    return this.transport.call({ method: 'GET', path: `/v1/health` }, 'data', options) as Promise<Schemas['Health']>;
  }

  /** Get this description, OpenAPI 3.1. */
  getOpenApi(options?: RequestOptions): Promise<operations['getOpenApi']['responses'][200]['content']['application/json']> {
    return this.transport.call({ method: 'GET', path: `/v1/openapi.json` }, 'json', options) as Promise<operations['getOpenApi']['responses'][200]['content']['application/json']>;
  }

  /** Request an approval. An extension of this implementation. The operation is checked as if it were called, and carried out once a person has approved it. A forced launch says so in its summary, with the reason. Nobody can approve with the key that requested it. It is void if the campaign, the workflow, its segments or its templates have changed by then, or if its audience has by more than a tenth. What names people, such as the messages of a batch, is deleted once the approval is over. */
  createApproval(body: Schemas['CreateApprovalRequest'], options?: RequestOptions): Promise<Schemas['RequestedApproval']> {
    return this.transport.call({ method: 'POST', path: `/v1/approvals`, body, keyed: true }, 'data', options) as Promise<Schemas['RequestedApproval']>;
  }

  /** List approvals, newest first. An extension of this implementation. */
  listApprovals(query?: Query<'listApprovals'>, options?: RequestOptions): Pages<Schemas['Approval']> {
    return this.transport.pages({ method: 'GET', path: `/v1/approvals`, query }, options) as Pages<Schemas['Approval']>;
  }

  /** Get an approval. An extension of this implementation. */
  getApproval(id: string, options?: RequestOptions): Promise<Schemas['Approval']> {
    return this.transport.call({ method: 'GET', path: `/v1/approvals/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Approval']>;
  }

  /** Approve what was requested. An extension of this implementation. The answer does not wait until it is carried out: `state` and `result` say how it ended. */
  approveApproval(id: string, body: Schemas['ApproveApprovalRequest'] = {}, options?: RequestOptions): Promise<Schemas['Approval']> {
    return this.transport.call({ method: 'POST', path: `/v1/approvals/${encodeURIComponent(id)}/approve`, body }, 'data', options) as Promise<Schemas['Approval']>;
  }

  /** Reject what was requested. An extension of this implementation. The key that requested it may reject it too, to withdraw it. */
  rejectApproval(id: string, body: Schemas['RejectApprovalRequest'] = {}, options?: RequestOptions): Promise<Schemas['Approval']> {
    return this.transport.call({ method: 'POST', path: `/v1/approvals/${encodeURIComponent(id)}/reject`, body }, 'data', options) as Promise<Schemas['Approval']>;
  }

  /** Create a link by which one person decides without a sign-in. An extension of this implementation. The link ends with the approval or with the decision. Opening it changes nothing; its page has a button. */
  createApprovalLink(id: string, options?: RequestOptions): Promise<Schemas['ApprovalLink']> {
    return this.transport.call({ method: 'POST', path: `/v1/approvals/${encodeURIComponent(id)}/link` }, 'data', options) as Promise<Schemas['ApprovalLink']>;
  }

  /** List changes with their authors, newest first. An extension of this implementation. Entries are kept for 400 days. Only owners, admins and keys with the scope `full` can read them. */
  listAudit(query?: Query<'listAudit'>, options?: RequestOptions): Pages<Schemas['AuditEntry']> {
    return this.transport.pages({ method: 'GET', path: `/v1/audit`, query }, options) as Pages<Schemas['AuditEntry']>;
  }

  /** Archive a workflow. An extension of this implementation. Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is. An active workflow cannot be archived, and an archived one cannot be activated. */
  archiveWorkflow(id: string, options?: RequestOptions): Promise<Schemas['Workflow']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows/${encodeURIComponent(id)}/archive` }, 'data', options) as Promise<Schemas['Workflow']>;
  }

  /** Bring an archived workflow back. An extension of this implementation. What is not archived stays as it is. */
  unarchiveWorkflow(id: string, options?: RequestOptions): Promise<Schemas['Workflow']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows/${encodeURIComponent(id)}/unarchive` }, 'data', options) as Promise<Schemas['Workflow']>;
  }

  /** Find the errors of a graph. An extension of this implementation. Runs the checks of an activation; nothing is stored. `warnings` do not stop it: translations that messages read and that are missing. */
  checkWorkflow(body: Schemas['CheckWorkflowRequest'], options?: RequestOptions): Promise<Schemas['GraphFaults']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows/check`, body }, 'data', options) as Promise<Schemas['GraphFaults']>;
  }

  /** Rehearse a workflow in virtual time. An extension of this implementation. Returns what a workflow, drafts included, would do for a contact while the given events happen; `after` counts from `start`. Nothing is sent, stored or emitted, and webhooks are assumed to succeed. */
  rehearseWorkflow(id: string, body: Schemas['RehearseWorkflowRequest'] = {}, options?: RequestOptions): Promise<Schemas['Rehearsal']> {
    return this.transport.call({ method: 'POST', path: `/v1/workflows/${encodeURIComponent(id)}/rehearse`, body }, 'data', options) as Promise<Schemas['Rehearsal']>;
  }

  /** Show what happened to the executions and messages of a workflow, by hour or day. An extension of this implementation. Counted from executions and messages, as far back as they are kept; of a workflow with more than 100,000 executions up to a minute old. Test-mode messages are not counted, test-mode executions are. */
  getWorkflowTimeline(id: string, query?: Query<'getWorkflowTimeline'>, options?: RequestOptions): Promise<Schemas['WorkflowTimeline']> {
    return this.transport.call({ method: 'GET', path: `/v1/workflows/${encodeURIComponent(id)}/timeline`, query }, 'data', options) as Promise<Schemas['WorkflowTimeline']>;
  }

  /** Start the checkout of a paid plan. An extension outside of `/v1`. Send the customer to `checkoutUrl`; the plan starts when the provider reports the payment. */
  startCheckout(body: Schemas['StartCheckoutRequest'], options?: RequestOptions): Promise<Schemas['Checkout']> {
    return this.transport.call({ method: 'POST', path: `/api/payments/checkout`, body }, 'data', options) as Promise<Schemas['Checkout']>;
  }

  /** Show who would get a campaign, and when. An extension of this implementation. Takes the members of a send for a draft, and none for a scheduled campaign. Changes nothing. With a throttle, times are approximate. */
  planCampaign(id: string, body: Schemas['PlanCampaignRequest'] = {}, options?: RequestOptions): Promise<Schemas['CampaignPlan']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/plan`, body }, 'data', options) as Promise<Schemas['CampaignPlan']>;
  }

  /** Check a campaign before its launch. An extension of this implementation. Checks a draft or a scheduled campaign: sender, audience, content and links. Fetches links, so it takes up to 25 seconds. Changes nothing. A launch is refused while a check that needs no fetching has the level `block`, unless it is given `force: true`. */
  preflightCampaign(id: string, query?: Query<'preflightCampaign'>, options?: RequestOptions): Promise<Schemas['CampaignPreflight']> {
    return this.transport.call({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}/preflight`, query }, 'data', options) as Promise<Schemas['CampaignPreflight']>;
  }

  /** Show which recipients of a campaign would get which language. An extension of this implementation. Counts the audience of a draft or a scheduled campaign by language, and lists the texts that each language lacks. Changes nothing. */
  getCampaignCoverage(id: string, options?: RequestOptions): Promise<Schemas['CampaignCoverage']> {
    return this.transport.call({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}/coverage` }, 'data', options) as Promise<Schemas['CampaignCoverage']>;
  }

  /** Show what happened to the messages of a campaign, by hour or day. An extension of this implementation. Counted from the messages, as far back as they are kept; of a campaign with more than 100,000 recipients up to a minute old. Test-mode messages are not counted. */
  getCampaignTimeline(id: string, query?: Query<'getCampaignTimeline'>, options?: RequestOptions): Promise<Schemas['CampaignTimeline']> {
    return this.transport.call({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}/timeline`, query }, 'data', options) as Promise<Schemas['CampaignTimeline']>;
  }

  /** List the turns of a recurring campaign, newest first. An extension of this implementation. Each turn that was not skipped is a campaign of its own, with its recipients and figures. */
  listCampaignTurns(id: string, query?: Query<'listCampaignTurns'>, options?: RequestOptions): Pages<Schemas['CampaignTurn']> {
    return this.transport.pages({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}/turns`, query }, options) as Pages<Schemas['CampaignTurn']>;
  }

  /** Get what the next turn of a recurring campaign would send of its feed. An extension of this implementation. Reads the feed now and changes nothing. The entries shown are not sent yet. */
  getCampaignFeed(id: string, options?: RequestOptions): Promise<Schemas['FeedOutlook']> {
    return this.transport.call({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}/feed` }, 'data', options) as Promise<Schemas['FeedOutlook']>;
  }

  /** Archive a campaign. An extension of this implementation. Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is. A scheduled or sending campaign cannot be archived, and an archived draft cannot be sent. */
  archiveCampaign(id: string, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/archive` }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Bring an archived campaign back. An extension of this implementation. What is not archived stays as it is. */
  unarchiveCampaign(id: string, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/unarchive` }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Pause a sending campaign. An extension of this implementation. Once this has answered, no further message begins until the campaign is resumed. Deferred messages keep their retries, unless `retries` is `hold`. `sent`, `inFlight`, `remaining` and the skipped recipients add up to `totalRecipients`. */
  pauseCampaign(id: string, body: Schemas['PauseCampaignRequest'] = {}, options?: RequestOptions): Promise<Schemas['PausedCampaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/pause`, body }, 'data', options) as Promise<Schemas['PausedCampaign']>;
  }

  /** Resume a campaign that is paused, stopped in its rollout, or held for a provider. An extension of this implementation. A throttled campaign continues at its pace, without catching up. A rollout that was stopped continues with its next step. Holds for providers that refuse mail end for all campaigns of the project. */
  resumeCampaign(id: string, body: Schemas['ResumeCampaignRequest'] = {}, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/resume`, body }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Retry the failed messages of a campaign. An extension of this implementation. Messages that failed other than by a bounce get one more chain of attempts, with the same content. Bounced messages are not retried. */
  retryFailedMessages(id: string, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/retry-failed` }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Make a scheduled campaign a draft again. An extension of this implementation. */
  unscheduleCampaign(id: string, options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/unschedule` }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Move a scheduled campaign to another time. An extension of this implementation. The decision of an A/B test moves by the same time. */
  rescheduleCampaign(id: string, body: Schemas['RescheduleCampaignRequest'], options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/reschedule`, body }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Correct the content of a paused campaign for the remaining recipients. An extension of this implementation. Messages that have begun keep their content; all others get the next version. In an A/B test a new subject replaces both, and `comparison` becomes null. */
  reviseCampaign(id: string, body: Schemas['ReviseCampaignRequest'], options?: RequestOptions): Promise<Schemas['Campaign']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/${encodeURIComponent(id)}/revise`, body }, 'data', options) as Promise<Schemas['Campaign']>;
  }

  /** Count an audience, and the contacts that would be skipped, by reason. An extension of this implementation. `count` equals `audience-count`; each contact is counted under one reason only. */
  breakDownAudience(body: Schemas['BreakDownAudienceRequest'], options?: RequestOptions): Promise<Schemas['AudienceBreakdown']> {
    return this.transport.call({ method: 'POST', path: `/v1/campaigns/audience-breakdown`, body }, 'data', options) as Promise<Schemas['AudienceBreakdown']>;
  }

  /** Certify the outcome of every recipient of a campaign. An extension of this implementation. The sums add up at any moment: `audience` = `sent` + all `skipped` + `pending`, and `sent` = `delivered` + all `bounced` + `failed` + `deferred` + `inDoubt`. All recipients are read for it. With `format=csv`, each recipient is a line with a hash of the line and of the hash before it. */
  certifyCampaign(id: string, query?: Query<'certifyCampaign'>, options?: RequestOptions): Promise<Schemas['CampaignCertificate']> {
    return this.transport.call({ method: 'GET', path: `/v1/campaigns/${encodeURIComponent(id)}/certificate`, query }, 'data', options) as Promise<Schemas['CampaignCertificate']>;
  }

  /** Certify the outcome of the messages of a workflow. An extension of this implementation. Covers contacts enrolled from `from` up to, but not including, `to`. Each `send_email` node that a live execution reached counts as one recipient. Sums, CSV and hash chain work as in a campaign certificate. */
  certifyWorkflow(id: string, query?: Query<'certifyWorkflow'>, options?: RequestOptions): Promise<Schemas['WorkflowCertificate']> {
    return this.transport.call({ method: 'GET', path: `/v1/workflows/${encodeURIComponent(id)}/certificate`, query }, 'data', options) as Promise<Schemas['WorkflowCertificate']>;
  }

  /** List what a person agreed to and took back, newest first. An extension of this implementation. The entries of an id or an address, also before it becomes a contact and after it was deleted. */
  listContactConsent(id: string, query?: Query<'listContactConsent'>, options?: RequestOptions): Pages<Schemas['ConsentEntry']> {
    return this.transport.pages({ method: 'GET', path: `/v1/contacts/${encodeURIComponent(id)}/consent`, query }, options) as Pages<Schemas['ConsentEntry']>;
  }

  /** Verify the hash chain of a person's consent. An extension of this implementation. Detects an entry that was changed, inserted or removed in the database. */
  verifyContactConsent(id: string, options?: RequestOptions): Promise<Schemas['ConsentVerification']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/${encodeURIComponent(id)}/consent/verification` }, 'data', options) as Promise<Schemas['ConsentVerification']>;
  }

  /** Export the ledger of consent as CSV. An extension of this implementation. All entries of the project, newest first, with the address where it is a contact. */
  exportConsent(options?: RequestOptions): Promise<string> {
    return this.transport.call({ method: 'GET', path: `/v1/consent/export` }, 'text', options) as Promise<string>;
  }

  /** Get the progress of the erasure of a deleted contact. An extension of this implementation. By the former id or address of the contact; the latest erasure if there were several. Available for 90 days after its end. */
  getContactErasure(id: string, options?: RequestOptions): Promise<Schemas['Erasure']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/${encodeURIComponent(id)}/erasure` }, 'data', options) as Promise<Schemas['Erasure']>;
  }

  /** Get all stored data about a contact. An extension of this implementation. One JSON document, streamed: contact, topics, suppression, segments, campaigns, rejected import rows, and the newest 10,000 each of e-mails (with bodies and values), inbound mail, consent entries, events, executions and webhook deliveries; `truncated` names the lists that are longer. */
  exportContactData(id: string, options?: RequestOptions): Promise<Schemas['HeldData']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/${encodeURIComponent(id)}/data` }, 'data', options) as Promise<Schemas['HeldData']>;
  }

  /** Get the outcome of the mail to each provider. An extension of this implementation. Counts the newest 20,000 messages of the last days by who takes the mail of the recipient, without test mode. The domains beyond the first 100 are counted as `other`. */
  listProviders(query?: Query<'listProviders'>, options?: RequestOptions): Promise<Schemas['Providers']> {
    return this.transport.call({ method: 'GET', path: `/v1/deliverability/providers`, query }, 'data', options) as Promise<Schemas['Providers']>;
  }

  /** Get the outcome of the mail over each transport. An extension of this implementation. Counts the newest 20,000 messages of the last days by the transport of their last attempt, without test mode. Hosts, addresses and credentials stay with the operator. */
  listTransports(query?: Query<'listTransports'>, options?: RequestOptions): Promise<Schemas['Transports']> {
    return this.transport.call({ method: 'GET', path: `/v1/deliverability/transports`, query }, 'data', options) as Promise<Schemas['Transports']>;
  }

  /** Download the DNS records of a domain as a zone file. An extension of this implementation. Lines of a BIND zone file, for name servers and the import of DNS providers. */
  getDomainZone(id: string, options?: RequestOptions): Promise<string> {
    return this.transport.call({ method: 'GET', path: `/v1/domains/${encodeURIComponent(id)}/zone` }, 'text', options) as Promise<string>;
  }

  /** Get what receivers report of a domain. An extension of this implementation. DMARC: who sends with the domain, how much of it passes, next to what was sent from here, and whether the policy can be stricter. TLS: sessions that hosts opened to the domain. */
  getDomainReports(id: string, query?: Query<'getDomainReports'>, options?: RequestOptions): Promise<Schemas['DomainReports']> {
    return this.transport.call({ method: 'GET', path: `/v1/domains/${encodeURIComponent(id)}/reports`, query }, 'data', options) as Promise<Schemas['DomainReports']>;
  }

  /** Read events in order of receipt, from a position on. An extension of this implementation, for receivers that webhooks cannot reach. Pass `next` as `after`, even if `data` is empty. You then get every event exactly once. An event appears 90 seconds after its receipt. */
  readEventFeed(query?: Query<'readEventFeed'>, options?: RequestOptions): Promise<Schemas['EventFeed']> {
    return this.transport.call({ method: 'GET', path: `/v1/events/feed`, query }, 'data', options) as Promise<Schemas['EventFeed']>;
  }

  /** List pictures, newest first. An extension of this implementation. */
  listFiles(query?: Query<'listFiles'>, options?: RequestOptions): Pages<Schemas['File']> {
    return this.transport.pages({ method: 'GET', path: `/v1/files`, query }, options) as Pages<Schemas['File']>;
  }

  /** Upload a picture. An extension of this implementation. The body is the bytes of a PNG, JPEG, GIF or WebP picture of at most 5 MiB, whose type is decided by its content. A JPEG loses its metadata, but not its orientation. 201 if it is new, 200 if the project has the same content already. */
  uploadFile(file: string | Blob | Uint8Array, query?: Query<'uploadFile'>, options?: RequestOptions): Promise<Schemas['File']> {
    return this.transport.call({ method: 'POST', path: `/v1/files`, query, file, fileType: 'application/octet-stream' }, 'data', options) as Promise<Schemas['File']>;
  }

  /** Get a picture. An extension of this implementation. `uses` lists the templates, campaigns and automations whose current content shows the picture. If the search takes more than 5 seconds, the answer is 503 `unavailable`; `GET /v1/files` needs no search. */
  getFile(id: string, options?: RequestOptions): Promise<Schemas['FileDetail']> {
    return this.transport.call({ method: 'GET', path: `/v1/files/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['FileDetail']>;
  }

  /** Delete a picture. An extension of this implementation. Mail that shows it shows its alternative text from then on. The same content uploaded again has the same URL. */
  deleteFile(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/files/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** List sign-up forms with their figures, newest first. An extension of this implementation. */
  listForms(query?: Query<'listForms'>, options?: RequestOptions): Pages<Schemas['FormWithFigures']> {
    return this.transport.pages({ method: 'GET', path: `/v1/forms`, query }, options) as Pages<Schemas['FormWithFigures']>;
  }

  /** Create a sign-up form. An extension of this implementation. Its page is at `url`; `snippet` is for a page of your own. */
  createForm(body: Schemas['CreateFormRequest'], options?: RequestOptions): Promise<Schemas['Form']> {
    return this.transport.call({ method: 'POST', path: `/v1/forms`, body }, 'data', options) as Promise<Schemas['Form']>;
  }

  /** Get a sign-up form with its figures. An extension of this implementation. */
  getForm(id: string, options?: RequestOptions): Promise<Schemas['FormWithFigures']> {
    return this.transport.call({ method: 'GET', path: `/v1/forms/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['FormWithFigures']>;
  }

  /** Update a sign-up form, hold it or open it again. An extension of this implementation. */
  updateForm(id: string, body: Schemas['UpdateFormRequest'] = {}, options?: RequestOptions): Promise<Schemas['Form']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/forms/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Form']>;
  }

  /** Delete a sign-up form. An extension of this implementation. Sign-ups that wait for their confirmation can still be confirmed. */
  deleteForm(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/forms/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Download an attachment of a received message. An extension of this implementation. The bytes as the sender attached them, unchecked, with the media type from the sender. 404 if the attachment was too large to be stored. */
  getInboundAttachment(id: string, attachmentId: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.transport.call({ method: 'GET', path: `/v1/inbound/${encodeURIComponent(id)}/attachments/${encodeURIComponent(attachmentId)}` }, 'bytes', options) as Promise<Uint8Array>;
  }

  /** List the keys of the project, oldest first. An extension of this implementation. Keys are shown by their first characters; only a hash is stored. */
  listKeys(query?: Query<'listKeys'>, options?: RequestOptions): Pages<Schemas['Key']> {
    return this.transport.pages({ method: 'GET', path: `/v1/keys`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Key']>;
  }

  /** Create a key. An extension of this implementation. The key itself is returned only in this response. A test key cannot create keys, and a key that expires cannot create one that expires later. A marketer creates public keys and keys with the scope `sending` or `read`, an analyst or approver those with the scope `read`; each of them has up to 10 keys of a kind, and creates as many per hour. You can create up to 50 keys of a kind per hour, including revoked ones; the next is 429 `rate_limited`. The newest 100 revoked or expired keys stay in the list. */
  createKey(body: Schemas['CreateKeyRequest'], options?: RequestOptions): Promise<Schemas['CreatedKey']> {
    return this.transport.call({ method: 'POST', path: `/v1/keys`, body }, 'data', options) as Promise<Schemas['CreatedKey']>;
  }

  /** Revoke a key. An extension of this implementation. The key is refused from now on, and its console sessions end. Marketers, analysts and approvers revoke only the keys that they created. */
  revokeKey(id: string, options?: RequestOptions): Promise<Schemas['Key']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/keys/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Key']>;
  }

  /** List the members of the project in the order in which they joined. An extension of this implementation. */
  listMembers(query?: Query<'listMembers'>, options?: RequestOptions): Pages<Schemas['Member']> {
    return this.transport.pages({ method: 'GET', path: `/v1/members`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Member']>;
  }

  /** List pending invitations, newest first. An extension of this implementation. */
  listInvitations(query?: Query<'listInvitations'>, options?: RequestOptions): Pages<Schemas['Invitation']> {
    return this.transport.pages({ method: 'GET', path: `/v1/invitations`, query: { limit: 100, ...query } }, options) as Pages<Schemas['Invitation']>;
  }

  /** Invite a person to the project by e-mail. An extension of this implementation. The message goes out from the first verified domain of the project. Its link works once, within 7 days, and is nowhere else: it proves that the person reads the mail of the address. An invitation replaces an earlier one to the same address. You can invite up to 50 persons per hour. */
  createInvitation(body: Schemas['CreateInvitationRequest'], options?: RequestOptions): Promise<Schemas['Invitation']> {
    return this.transport.call({ method: 'POST', path: `/v1/invitations`, body }, 'data', options) as Promise<Schemas['Invitation']>;
  }

  /** Withdraw an invitation. An extension of this implementation. The link in the message leads nowhere from now on. */
  withdrawInvitation(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/invitations/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Change the role of a member. An extension of this implementation. It counts from the member's next request on. Only owners change owners, and the last owner keeps the role. */
  updateMember(id: string, body: Schemas['UpdateMemberRequest'], options?: RequestOptions): Promise<Schemas['Member']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/members/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Member']>;
  }

  /** Remove a member from the project. An extension of this implementation. The member's sessions in the project end. The keys that the member created stay, unless `keys` is `revoke`. The last owner cannot be removed. */
  removeMember(id: string, query?: Query<'removeMember'>, options?: RequestOptions): Promise<Schemas['FormerMember']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/members/${encodeURIComponent(id)}`, query }, 'data', options) as Promise<Schemas['FormerMember']>;
  }

  /** Get the caller: the person or key, what it may do, and where. An extension of this implementation. */
  getMe(options?: RequestOptions): Promise<Schemas['Me']> {
    return this.transport.call({ method: 'GET', path: `/v1/me` }, 'data', options) as Promise<Schemas['Me']>;
  }

  /** List saved blocks, newest first. An extension of this implementation. */
  listSavedBlocks(query?: Query<'listSavedBlocks'>, options?: RequestOptions): Pages<Schemas['SavedBlock']> {
    return this.transport.pages({ method: 'GET', path: `/v1/blocks`, query }, options) as Pages<Schemas['SavedBlock']>;
  }

  /** Save blocks under a name. An extension of this implementation. The console inserts a copy into a message, so a later change does not affect it. */
  createSavedBlock(body: Schemas['CreateSavedBlockRequest'], options?: RequestOptions): Promise<Schemas['SavedBlock']> {
    return this.transport.call({ method: 'POST', path: `/v1/blocks`, body }, 'data', options) as Promise<Schemas['SavedBlock']>;
  }

  /** Get a saved block. An extension of this implementation. */
  getSavedBlock(id: string, options?: RequestOptions): Promise<Schemas['SavedBlock']> {
    return this.transport.call({ method: 'GET', path: `/v1/blocks/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['SavedBlock']>;
  }

  /** Rename a saved block, or replace its blocks. An extension of this implementation. Mail that contains a copy does not change. */
  updateSavedBlock(id: string, body: Schemas['UpdateSavedBlockRequest'] = {}, options?: RequestOptions): Promise<Schemas['SavedBlock']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/blocks/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['SavedBlock']>;
  }

  /** Delete a saved block. An extension of this implementation. Mail that contains a copy keeps it. */
  deleteSavedBlock(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/blocks/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Archive a segment. An extension of this implementation. Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is. */
  archiveSegment(id: string, options?: RequestOptions): Promise<Schemas['Segment']> {
    return this.transport.call({ method: 'POST', path: `/v1/segments/${encodeURIComponent(id)}/archive` }, 'data', options) as Promise<Schemas['Segment']>;
  }

  /** Bring an archived segment back. An extension of this implementation. What is not archived stays as it is. */
  unarchiveSegment(id: string, options?: RequestOptions): Promise<Schemas['Segment']> {
    return this.transport.call({ method: 'POST', path: `/v1/segments/${encodeURIComponent(id)}/unarchive` }, 'data', options) as Promise<Schemas['Segment']>;
  }

  /** Get the project's settings. An extension of this implementation. */
  getSettings(options?: RequestOptions): Promise<Schemas['Settings']> {
    return this.transport.call({ method: 'GET', path: `/v1/settings` }, 'data', options) as Promise<Schemas['Settings']>;
  }

  /** Change the project's settings. An extension of this implementation. A change applies to messages accepted after it, and to batches of campaigns that start after it. */
  updateSettings(body: Schemas['UpdateSettingsRequest'] = {}, options?: RequestOptions): Promise<Schemas['Settings']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/settings`, body }, 'data', options) as Promise<Schemas['Settings']>;
  }

  /** List SMTP sessions, newest first. An extension of this implementation. The connections over which a key has signed in to SMTP submission, for 30 days: what was accepted, and what was refused and why. An open connection is listed as it was up to five seconds before. */
  listSmtpSessions(query?: Query<'listSmtpSessions'>, options?: RequestOptions): Pages<Schemas['SmtpSession']> {
    return this.transport.pages({ method: 'GET', path: `/v1/smtp-sessions`, query }, options) as Pages<Schemas['SmtpSession']>;
  }

  /** Suppress up to 1,000 addresses, each with its reason and note. An extension of this implementation. An address that is already suppressed keeps its record as it is, so repeating the request changes nothing. If one entry is invalid, nothing is imported, and `details` names every invalid entry, such as `suppressions.3.email`. */
  importSuppressions(body: Schemas['ImportSuppressionsRequest'], options?: RequestOptions): Promise<Schemas['ImportedSuppressions']> {
    return this.transport.call({ method: 'POST', path: `/v1/suppressions/import`, body }, 'data', options) as Promise<Schemas['ImportedSuppressions']>;
  }

  /** Archive a template. An extension of this implementation. Lists leave it out with `archived=false`. It works as before wherever it is used; archived again, it stays as it is. */
  archiveTemplate(id: string, options?: RequestOptions): Promise<Schemas['Template']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates/${encodeURIComponent(id)}/archive` }, 'data', options) as Promise<Schemas['Template']>;
  }

  /** Bring an archived template back. An extension of this implementation. What is not archived stays as it is. */
  unarchiveTemplate(id: string, options?: RequestOptions): Promise<Schemas['Template']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates/${encodeURIComponent(id)}/unarchive` }, 'data', options) as Promise<Schemas['Template']>;
  }

  /** Render a template for a contact. An extension of this implementation. Renders the given content as a message, with the values of the contact overridden by `variables`. Nothing is sent or stored. Without `contact`, no values are used, which shows the fallbacks. */
  previewTemplate(body: Schemas['PreviewTemplateRequest'], options?: RequestOptions): Promise<Schemas['TemplatePreview']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates/preview`, body }, 'data', options) as Promise<Schemas['TemplatePreview']>;
  }

  /** Send content that is not stored to one address, its subject prefixed with [Test]. An extension of this implementation. Tries out a message as it is written, such as that of an automation. */
  testSendContent(body: Schemas['TestSendContentRequest'], options?: RequestOptions): Promise<Schemas['TestSent']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates/test-send`, body }, 'data', options) as Promise<Schemas['TestSent']>;
  }

  /** Render a design of the block editor to HTML. An extension of this implementation. Writes the HTML that the console would save for this design, and lists warnings about what readers may have problems with. Nothing is sent or stored: give `body` and `bodyBlocks` to a template or campaign. */
  renderBlocks(body: Schemas['RenderBlocksRequest'], options?: RequestOptions): Promise<Schemas['RenderedBlocks']> {
    return this.transport.call({ method: 'POST', path: `/v1/templates/render-blocks`, body }, 'data', options) as Promise<Schemas['RenderedBlocks']>;
  }

  /** List topics, by `order`. An extension of this implementation. With `figures=true`, each topic has `figures`. */
  listTopics(query?: Query<'listTopics'>, options?: RequestOptions): Pages<Schemas['TopicWithFigures']> {
    return this.transport.pages({ method: 'GET', path: `/v1/topics`, query: { limit: 100, ...query } }, options) as Pages<Schemas['TopicWithFigures']>;
  }

  /** Create a topic. An extension of this implementation. `key` and `defaultSubscription` never change. */
  createTopic(body: Schemas['CreateTopicRequest'], options?: RequestOptions): Promise<Schemas['Topic']> {
    return this.transport.call({ method: 'POST', path: `/v1/topics`, body }, 'data', options) as Promise<Schemas['Topic']>;
  }

  /** Get a topic. An extension of this implementation. */
  getTopic(id: string, options?: RequestOptions): Promise<Schemas['Topic']> {
    return this.transport.call({ method: 'GET', path: `/v1/topics/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Topic']>;
  }

  /** Update a topic. An extension of this implementation. `key` and `defaultSubscription` never change. */
  updateTopic(id: string, body: Schemas['UpdateTopicRequest'] = {}, options?: RequestOptions): Promise<Schemas['Topic']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/topics/${encodeURIComponent(id)}`, body }, 'data', options) as Promise<Schemas['Topic']>;
  }

  /** Delete a topic that nothing uses. An extension of this implementation. 409 `in_use` while a template, a campaign that has not ended, a workflow or a segment names it. */
  deleteTopic(id: string, options?: RequestOptions): Promise<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path: `/v1/topics/${encodeURIComponent(id)}` }, 'data', options) as Promise<Schemas['Deleted']>;
  }

  /** Get the topics of a contact. An extension of this implementation. */
  getContactTopics(id: string, options?: RequestOptions): Promise<Schemas['ContactTopics']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/${encodeURIComponent(id)}/topics` }, 'data', options) as Promise<Schemas['ContactTopics']>;
  }

  /** Change the topics of a contact. An extension of this implementation. Topics that are not named stay as they are. After the response, no further message of a removed topic starts. */
  changeContactTopics(id: string, body: Schemas['ChangeContactTopicsRequest'], options?: RequestOptions): Promise<Schemas['ContactTopics']> {
    return this.transport.call({ method: 'PATCH', path: `/v1/contacts/${encodeURIComponent(id)}/topics`, body }, 'data', options) as Promise<Schemas['ContactTopics']>;
  }

  /** Get the project's translations. An extension of this implementation. */
  getTranslations(options?: RequestOptions): Promise<Schemas['Translations']> {
    return this.transport.call({ method: 'GET', path: `/v1/translations` }, 'data', options) as Promise<Schemas['Translations']>;
  }

  /** Replace the project's translations. An extension of this implementation. Messages that were accepted before, and campaigns that were launched or scheduled before, keep the earlier texts. */
  replaceTranslations(body: Schemas['ReplaceTranslationsRequest'], options?: RequestOptions): Promise<Schemas['Translations']> {
    return this.transport.call({ method: 'PUT', path: `/v1/translations`, body }, 'data', options) as Promise<Schemas['Translations']>;
  }

  /** List what will happen next, soonest first. An extension of this implementation. One list of scheduled e-mails and campaigns, turns, A/B decisions, ends of pauses, and waiting executions. Filters keep the entries that have all given ids. */
  listUpcoming(query?: Query<'listUpcoming'>, options?: RequestOptions): Pages<Schemas['UpcomingEntry']> {
    return this.transport.pages({ method: 'GET', path: `/v1/upcoming`, query }, options) as Pages<Schemas['UpcomingEntry']>;
  }

  /** Get a delivery with the body of its calls, and its attempts. An extension of this implementation. */
  getDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<Schemas['WholeDelivery']> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}` }, 'data', options) as Promise<Schemas['WholeDelivery']>;
  }

  /** Deliver a test event. An extension of this implementation. The event is `webhook.test`, regardless of the events of the endpoint; it is signed, retried and listed like any other. */
  testWebhook(id: string, options?: RequestOptions): Promise<Schemas['Delivery']> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(id)}/test` }, 'data', options) as Promise<Schemas['Delivery']>;
  }

  /** List events that an endpoint did not receive, newest first. An extension of this implementation. Lists pending and failed deliveries of the last 30 days whose event did not arrive by another attempt or replay. */
  listWebhookGaps(id: string, query?: Query<'listWebhookGaps'>, options?: RequestOptions): Pages<Schemas['WebhookGap']> {
    return this.transport.pages({ method: 'GET', path: `/v1/webhooks/${encodeURIComponent(id)}/gaps`, query }, options) as Pages<Schemas['WebhookGap']>;
  }

  /** Deliver the events of a time range again. An extension of this implementation. Queues up to 10,000 deliveries; more are 422 `too_big`. Pending and erased deliveries stay as they are, so repeating the request adds none. */
  replayWebhook(id: string, body: Schemas['ReplayWebhookRequest'], options?: RequestOptions): Promise<Schemas['ReplayedWindow']> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(id)}/replay`, body }, 'data', options) as Promise<Schemas['ReplayedWindow']>;
  }

  /** Explain why a contact got a message, or did not. An extension of this implementation. Explains a campaign, a workflow or one e-mail. It also works before a launch, and for contacts that got nothing. Each judgement shows the facts it was based on. If none were recorded, it shows the current facts and `asOf` is `now`. */
  explainContact(id: string, query?: Query<'explainContact'>, options?: RequestOptions): Promise<Schemas['Why']> {
    return this.transport.call({ method: 'GET', path: `/v1/contacts/${encodeURIComponent(id)}/why`, query }, 'data', options) as Promise<Schemas['Why']>;
  }

  /** Liveness: whether this process runs; if not, restart it. */
  getLive(options?: RequestOptions): Promise<Schemas['Live']> {
    return this.transport.call({ method: 'GET', path: `/livez` }, 'json', options) as Promise<Schemas['Live']>;
  }

  /** Readiness: whether this process accepts requests; requires MongoDB and reports Temporal. */
  getReady(options?: RequestOptions): Promise<Schemas['Ready']> {
    return this.transport.call({ method: 'GET', path: `/readyz` }, 'json', options) as Promise<Schemas['Ready']>;
  }
}
