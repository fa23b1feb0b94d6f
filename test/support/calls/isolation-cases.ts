import { addPerson } from '../../../src/records/members/service';
import type { Api } from '../platform/app';

/** A GIF of one pixel. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** Ids of the first project's objects that the second one tries to reach. */
export interface Owned {
  readonly templateId: string;
  readonly emailId: string;
  readonly contactId: string;
  readonly suppressionId: string;
  readonly importId: string;
  readonly segmentId: string;
  readonly domainId: string;
  readonly campaignId: string;
  readonly workflowId: string;
  readonly executionId: string;
  readonly webhookId: string;
  readonly keyId: string;
  readonly topicId: string;
  readonly fileId: string;
  readonly savedBlockId: string;
  readonly formId: string;
  readonly approvalId: string;
  readonly personId: string;
  readonly invitationId: string;
  /** Names are not ids, but what they name is the project's own all the same. */
  readonly eventName: string;
  readonly field: string;
}

export const SECRET_ADDRESS = 'alice.of.project.a@example.com';
export const SECRET_NAME = 'Quarterly figures of project A';
const CONTENT = { name: SECRET_NAME, subject: SECRET_NAME, body: '<p>{{firstName}}</p>', fromEmail: 'team@hello.test' };
export const SCHEDULED = { to: SECRET_ADDRESS, from: 'team@hello.test', subject: SECRET_NAME, text: 'Hello' };

/** A year's wait. */
const WAITING = {
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'wait', type: 'delay', config: { amount: 365, unit: 'days' } },
  ],
  edges: [{ from: 'start', to: 'wait' }],
};

export interface Case {
  readonly owns: keyof Owned;
  readonly prefix: string;
  /** One that would be right. */
  readonly body?: object;
  readonly query?: string;
  /** The answer with status 200, if the operation hides the object. */
  readonly hides?: object;
}

/** The kind of id that each operation takes. */
export const CASES: Readonly<Record<string, Case>> = {
  getEmail: { owns: 'emailId', prefix: 'em' },
  cancelEmail: { owns: 'emailId', prefix: 'em' },
  rescheduleEmail: { owns: 'emailId', prefix: 'em', body: { sendAt: new Date(Date.now() + 86_400_000).toISOString() } },
  getInboundAttachment: { owns: 'emailId', prefix: 'em' },
  getTemplate: { owns: 'templateId', prefix: 'tpl' },
  updateTemplate: { owns: 'templateId', prefix: 'tpl', body: { name: 'Taken over', body: '<p>Taken over</p>' } },
  archiveTemplate: { owns: 'templateId', prefix: 'tpl', body: {} },
  unarchiveTemplate: { owns: 'templateId', prefix: 'tpl', body: {} },
  deleteTemplate: { owns: 'templateId', prefix: 'tpl' },
  listTemplateVersions: { owns: 'templateId', prefix: 'tpl' },
  duplicateTemplate: { owns: 'templateId', prefix: 'tpl', body: {} },
  rollBackTemplate: { owns: 'templateId', prefix: 'tpl', body: { version: 1 } },
  testSendTemplate: { owns: 'templateId', prefix: 'tpl', body: { to: 'mallory@example.com' } },
  revokeKey: { owns: 'keyId', prefix: 'key' },
  getSuppression: { owns: 'suppressionId', prefix: 'sup', hides: { suppressed: false, suppression: null } },
  updateSuppression: { owns: 'suppressionId', prefix: 'sup', body: { note: 'Taken over' } },
  deleteSuppression: { owns: 'suppressionId', prefix: 'sup' },
  getContact: { owns: 'contactId', prefix: 'ctc' },
  deleteContact: { owns: 'contactId', prefix: 'ctc' },
  getContactTimeline: { owns: 'contactId', prefix: 'ctc' },
  explainContact: { owns: 'contactId', prefix: 'ctc', query: '?emailId=em_00000000000000000000000000' },
  exportContactData: { owns: 'contactId', prefix: 'ctc' },
  getContactErasure: { owns: 'contactId', prefix: 'ctc' },
  getImport: { owns: 'importId', prefix: 'imp' },
  listContactFieldValues: { owns: 'field', prefix: 'field', hides: { data: [] } },
  getContactFieldUsage: { owns: 'field', prefix: 'field', hides: { contacts: 0, segments: [], templates: [] } },
  deleteContactField: { owns: 'field', prefix: 'field', hides: { removed: 0 } },
  getEventUsage: { owns: 'eventName', prefix: 'event', hides: { count: 0, workflows: [], segments: [] } },
  deleteEvents: { owns: 'eventName', prefix: 'event', hides: { removed: 0 } },
  getDomain: { owns: 'domainId', prefix: 'dom' },
  verifyDomain: { owns: 'domainId', prefix: 'dom', body: {} },
  getDomainZone: { owns: 'domainId', prefix: 'dom' },
  getDomainReports: { owns: 'domainId', prefix: 'dom' },
  deleteDomain: { owns: 'domainId', prefix: 'dom' },
  getSegment: { owns: 'segmentId', prefix: 'seg' },
  updateSegment: { owns: 'segmentId', prefix: 'seg', body: { name: 'Taken over' } },
  archiveSegment: { owns: 'segmentId', prefix: 'seg', body: {} },
  unarchiveSegment: { owns: 'segmentId', prefix: 'seg', body: {} },
  deleteSegment: { owns: 'segmentId', prefix: 'seg' },
  refreshSegment: { owns: 'segmentId', prefix: 'seg', body: {} },
  listSegmentMembers: { owns: 'segmentId', prefix: 'seg' },
  addSegmentMembers: { owns: 'segmentId', prefix: 'seg', body: { emails: [SECRET_ADDRESS] } },
  removeSegmentMember: { owns: 'segmentId', prefix: 'seg' },
  getCampaign: { owns: 'campaignId', prefix: 'cmp' },
  updateCampaign: { owns: 'campaignId', prefix: 'cmp', body: { name: 'Taken over' } },
  archiveCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  unarchiveCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  deleteCampaign: { owns: 'campaignId', prefix: 'cmp' },
  sendCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  cancelCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  duplicateCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  resendToNonOpeners: { owns: 'campaignId', prefix: 'cmp', body: {} },
  testSendCampaign: { owns: 'campaignId', prefix: 'cmp', body: { to: 'mallory@example.com' } },
  listCampaignRecipients: { owns: 'campaignId', prefix: 'cmp' },
  listCampaignLinks: { owns: 'campaignId', prefix: 'cmp' },
  certifyCampaign: { owns: 'campaignId', prefix: 'cmp' },
  getCampaignCoverage: { owns: 'campaignId', prefix: 'cmp' },
  preflightCampaign: { owns: 'campaignId', prefix: 'cmp' },
  planCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  pauseCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  resumeCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  getCampaignTimeline: { owns: 'campaignId', prefix: 'cmp' },
  listCampaignTurns: { owns: 'campaignId', prefix: 'cmp' },
  getCampaignFeed: { owns: 'campaignId', prefix: 'cmp' },
  retryFailedMessages: { owns: 'campaignId', prefix: 'cmp', body: {} },
  unscheduleCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  rescheduleCampaign: { owns: 'campaignId', prefix: 'cmp', body: { scheduledFor: new Date(Date.now() + 86_400_000).toISOString() } },
  reviseCampaign: { owns: 'campaignId', prefix: 'cmp', body: { subject: 'Taken over' } },
  listContactConsent: { owns: 'contactId', prefix: 'ctc' },
  verifyContactConsent: { owns: 'contactId', prefix: 'ctc' },
  getContactTopics: { owns: 'contactId', prefix: 'ctc' },
  changeContactTopics: { owns: 'contactId', prefix: 'ctc', body: { topics: [{ topicId: `tpc_${'0'.repeat(26)}`, subscribed: false }] } },
  getTopic: { owns: 'topicId', prefix: 'tpc' },
  updateTopic: { owns: 'topicId', prefix: 'tpc', body: { name: 'Taken over' } },
  deleteTopic: { owns: 'topicId', prefix: 'tpc' },
  getFile: { owns: 'fileId', prefix: 'fil' },
  deleteFile: { owns: 'fileId', prefix: 'fil' },
  getSavedBlock: { owns: 'savedBlockId', prefix: 'blk' },
  updateSavedBlock: { owns: 'savedBlockId', prefix: 'blk', body: { name: 'Taken over' } },
  deleteSavedBlock: { owns: 'savedBlockId', prefix: 'blk' },
  getForm: { owns: 'formId', prefix: 'frm' },
  updateForm: { owns: 'formId', prefix: 'frm', body: { name: 'Taken over' } },
  deleteForm: { owns: 'formId', prefix: 'frm' },
  updateMember: { owns: 'personId', prefix: 'prs', body: { role: 'analyst' } },
  removeMember: { owns: 'personId', prefix: 'prs' },
  withdrawInvitation: { owns: 'invitationId', prefix: 'inv' },
  getApproval: { owns: 'approvalId', prefix: 'apr' },
  approveApproval: { owns: 'approvalId', prefix: 'apr', body: {} },
  rejectApproval: { owns: 'approvalId', prefix: 'apr', body: {} },
  createApprovalLink: { owns: 'approvalId', prefix: 'apr', body: {} },
  getWorkflow: { owns: 'workflowId', prefix: 'wfl' },
  updateWorkflow: { owns: 'workflowId', prefix: 'wfl', body: { name: 'Taken over' } },
  archiveWorkflow: { owns: 'workflowId', prefix: 'wfl', body: {} },
  unarchiveWorkflow: { owns: 'workflowId', prefix: 'wfl', body: {} },
  deleteWorkflow: { owns: 'workflowId', prefix: 'wfl' },
  duplicateWorkflow: { owns: 'workflowId', prefix: 'wfl', body: {} },
  enrollContact: { owns: 'workflowId', prefix: 'wfl', body: { email: SECRET_ADDRESS } },
  listExecutions: { owns: 'workflowId', prefix: 'wfl' },
  cancelAllExecutions: { owns: 'workflowId', prefix: 'wfl', body: {} },
  getWorkflowTimeline: { owns: 'workflowId', prefix: 'wfl' },
  getWorkflowStats: { owns: 'workflowId', prefix: 'wfl' },
  certifyWorkflow: { owns: 'workflowId', prefix: 'wfl' },
  rehearseWorkflow: { owns: 'workflowId', prefix: 'wfl', body: { contact: { email: SECRET_ADDRESS } } },
  getExecution: { owns: 'executionId', prefix: 'exe' },
  cancelExecution: { owns: 'executionId', prefix: 'exe', body: {} },
  updateWebhook: { owns: 'webhookId', prefix: 'whk', body: { enabled: false } },
  deleteWebhook: { owns: 'webhookId', prefix: 'whk' },
  listDeliveries: { owns: 'webhookId', prefix: 'whk' },
  getDelivery: { owns: 'webhookId', prefix: 'whk' },
  replayDelivery: { owns: 'webhookId', prefix: 'whk', body: {} },
  testWebhook: { owns: 'webhookId', prefix: 'whk', body: {} },
  listWebhookGaps: { owns: 'webhookId', prefix: 'whk' },
  replayWebhook: { owns: 'webhookId', prefix: 'whk', body: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' } },
};

/** Creates one of everything in the calling project. */
export async function populate(api: Api): Promise<Owned> {
  const template = await api.post('/v1/templates').send(CONTENT).expect(201);
  const templateId = template.body.data.templateId as string;
  await api.patch(`/v1/templates/${templateId}`).send({ body: '<p>Second</p>' }).expect(200);
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const sent = await api
    .post('/v1/send')
    .send({ ...SCHEDULED, sendAt })
    .expect(200);
  const emailId = sent.body.data.results[0].id as string;
  const email = await api.get(`/v1/emails/${emailId}`).expect(200);
  const suppression = await api.post('/v1/suppressions').send({ email: SECRET_ADDRESS }).expect(201);
  const field = 'secret_field_of_project_a';
  const eventName = 'secret.event.of.project.a';
  await api
    .post('/v1/contacts')
    .send({ email: SECRET_ADDRESS, data: { [field]: SECRET_NAME } })
    .expect(200);
  await api.post('/v1/events').send({ name: eventName, email: SECRET_ADDRESS }).expect(201);
  await api.post('/v1/inbound').send({ from: SECRET_ADDRESS, to: SECRET_ADDRESS, subject: SECRET_NAME }).expect(201);
  const job = await api.post('/v1/contacts/import').set('Content-Type', 'text/csv').send('email\nrow@example.com\n').expect(202);
  const segment = await api.post('/v1/segments').send({ name: SECRET_NAME, type: 'static' }).expect(201);
  const segmentId = segment.body.data.segmentId as string;
  await api
    .post(`/v1/segments/${segmentId}/members`)
    .send({ emails: [SECRET_ADDRESS] })
    .expect(200);
  const domain = await api.post('/v1/domains').send({ domain: 'of-project-a.example.com' }).expect(201);
  const campaign = await api
    .post('/v1/campaigns')
    .send({ ...CONTENT, body: '<p>News</p>' })
    .expect(201);
  const automation = await api.post('/v1/workflows').send({ name: SECRET_NAME, trigger: 'event:signup', graph: WAITING }).expect(201);
  const workflowId = automation.body.data.workflowId as string;
  await api.patch(`/v1/workflows/${workflowId}`).send({ status: 'active' }).expect(200);
  const execution = await api.post(`/v1/workflows/${workflowId}/enroll`).send({ email: SECRET_ADDRESS }).expect(201);
  const webhook = await api
    .post('/v1/webhooks')
    .send({ url: 'https://hooks.invalid/a', events: ['*'] })
    .expect(201);
  const topic = await api.post('/v1/topics').send({ key: 'secret_topic', name: SECRET_NAME, defaultSubscription: 'in' }).expect(201);
  const form = await api.post('/v1/forms').send({ name: SECRET_NAME, consentText: SECRET_NAME }).expect(201);
  const file = await api.post('/v1/files').query({ name: SECRET_NAME }).set('Content-Type', 'image/gif').send(DOT).expect(201);
  const divider = { kind: 'divider', id: 'd' };
  const block = await api
    .post('/v1/blocks')
    .send({ name: SECRET_NAME, blocks: [divider] })
    .expect(201);
  const draft = await api.post('/v1/workflows').send({ name: SECRET_NAME, trigger: 'event:signup', graph: WAITING }).expect(201);
  const activation = { id: draft.body.data.workflowId as string, status: 'active' };
  const approval = await api.post('/v1/approvals').send({ operation: 'updateWorkflow', parameters: activation }).expect(201);
  const key = await api.post('/v1/keys').send({ kind: 'secret', scope: 'read' }).expect(201);
  const invitation = await api.post('/v1/invitations').send({ address: 'invited@example.com', role: 'analyst' }).expect(201);
  const { body: me } = await api.get('/v1/me').expect(200);
  const projectId = me.data.projectId as string;
  const address = `${projectId.replace('_', '.')}@example.com`;
  const personId = await addPerson(projectId, { address, name: null, role: 'marketer' });
  return {
    personId,
    invitationId: invitation.body.data.invitationId as string,
    keyId: key.body.data.keyId as string,
    topicId: topic.body.data.topicId as string,
    savedBlockId: block.body.data.id as string,
    fileId: file.body.data.id as string,
    formId: form.body.data.formId as string,
    approvalId: approval.body.data.approvalId as string,
    webhookId: webhook.body.data.webhookId as string,
    field,
    eventName,
    segmentId,
    domainId: domain.body.data.domainId as string,
    workflowId,
    importId: job.body.data.importId as string,
    campaignId: campaign.body.data.campaignId as string,
    executionId: execution.body.data.executionId as string,
    templateId,
    emailId,
    contactId: email.body.data.contactId as string,
    suppressionId: suppression.body.data.suppressionId as string,
  };
}
