import { CAMPAIGNS } from './story-campaigns';
import { DESIGN } from './story-design';
import {
  CONTACT,
  COPY,
  DOMAIN,
  DYNAMIC,
  EMAIL,
  FORM,
  ON_PLAN,
  PERSON,
  RECEIVED,
  SCHEDULED,
  STATIC,
  TEMPLATE,
  TOMORROW,
  by,
  sampleId,
} from './story-parts';
import type { StoryStep } from './story-parts';
import { WORKFLOWS } from './story-workflows';

const CONTACTS: readonly StoryStep[] = [
  [
    'upsertContact',
    {
      body: {
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        locale: 'en-GB',
        timezone: 'Europe/London',
        data: { plan: 'pro', seats: 3 },
      },
    },
  ],
  ['listContacts', { query: { subscribed: true, search: 'ada' } }],
  ['getContact', by('ada@example.com')],
  ['changeContacts', { body: { action: 'subscribe', emails: ['ada@example.com', 'unknown@example.com'] } }],
  ['listContactFields', {}],
  ['listContactFieldValues', { path: { field: 'plan' }, query: { limit: 10 } }],
  ['getContactFieldUsage', { path: { field: 'plan' } }],
  ['importContacts', { query: { trigger: false }, file: 'email,firstName,plan\ngrace@example.com,Grace,free\n' }],
  ['getImport', by(sampleId('imp'))],
  ['listImports', { query: { limit: 10 } }],
  ['exportContacts', { query: { subscribed: true } }],
  ['verifyAddress', { body: { email: 'ada@example.com' } }],
];

const TEMPLATES: readonly StoryStep[] = [
  [
    'createTemplate',
    {
      body: {
        name: 'Welcome',
        subject: 'Welcome, {{firstName | "friend"}}',
        body: '<p>Good to have you, {{firstName | "friend"}}.</p>',
        fromEmail: `hello@${DOMAIN}`,
      },
    },
  ],
  ['listTemplates', { query: { type: 'transactional' } }],
  ['getTemplate', by(TEMPLATE)],
  ['updateTemplate', by(TEMPLATE, { body: { body: '<p>Welcome aboard, {{firstName | "friend"}}.</p>' } })],
  ['listTemplateVersions', by(TEMPLATE)],
  ['duplicateTemplate', by(TEMPLATE)],
  ['rollBackTemplate', by(TEMPLATE, { body: { version: 1 } })],
  ['testSendTemplate', by(TEMPLATE, { body: { to: 'ada@example.com', variables: { firstName: 'Ada' } } })],
  [
    'previewTemplate',
    { body: { subject: 'Welcome, {{firstName | "friend"}}', body: '<p>You are on {{data.plan}}.</p>', contact: 'ada@example.com' } },
  ],
  [
    'testSendContent',
    { body: { to: 'ada@example.com', subject: 'Welcome', body: '<p>Hello {{firstName | "friend"}}</p>', fromEmail: `hello@${DOMAIN}` } },
  ],
  [
    'renderBlocks',
    {
      body: {
        bodyBlocks: {
          version: 1,
          blocks: [
            { kind: 'heading', id: 'title', level: 1, spans: [{ text: 'Welcome' }] },
            { kind: 'text', id: 'hello', lines: [{ spans: [{ text: 'Hello ' }, { field: 'firstName', fallback: 'friend' }] }] },
            { kind: 'button', id: 'go', label: [{ text: 'Open your account' }], link: 'https://shop.test/account' },
          ],
        },
      },
    },
  ],
  ['archiveTemplate', by(COPY)],
  ['unarchiveTemplate', by(COPY)],
  ['deleteTemplate', by(COPY)],
];

const SENDING: readonly StoryStep[] = [
  [
    'send',
    {
      body: {
        to: { email: 'ada@example.com', name: 'Ada Lovelace' },
        subject: 'Welcome, {{firstName | "friend"}}',
        html: '<p>Good to have you on {{plan}}, {{firstName | "friend"}}.</p>',
        variables: { plan: 'pro' },
      },
    },
  ],
  [
    'sendBatch',
    {
      body: {
        messages: [
          {
            to: 'ada@example.com',
            subject: 'Your invoice',
            text: 'It is attached to your account.',
            tags: [{ name: 'category', value: 'invoice' }],
          },
          { to: 'grace@example.com', subject: 'Your report', text: 'It is ready.' },
        ],
      },
    },
  ],
  ['listEmails', { query: { to: 'ada@example.com', source: 'transactional' } }],
  ['getEmail', by(EMAIL)],
  ['rescheduleEmail', by(SCHEDULED, { body: { sendAt: TOMORROW } })],
  ['cancelEmail', by(SCHEDULED)],
];

const SEGMENTS: readonly StoryStep[] = [
  ['createSegment', { body: { name: 'On the plan pro', type: 'dynamic', conditions: ON_PLAN } }],
  ['listSegments', {}],
  ['previewSegment', { body: { conditions: ON_PLAN } }],
  ['getSegment', by(DYNAMIC)],
  ['updateSegment', by(DYNAMIC, { body: { description: 'Everyone who pays' } })],
  ['refreshSegment', by(DYNAMIC)],
  ['listSegmentMembers', by(DYNAMIC)],
  ['addSegmentMembers', by(STATIC, { body: { emails: ['ada@example.com', 'unknown@example.com'] } })],
  ['removeSegmentMember', { path: { id: STATIC, contactId: CONTACT } }],
  ['archiveSegment', by(STATIC)],
  ['unarchiveSegment', by(STATIC)],
  ['deleteSegment', by(STATIC)],
];

const WEBHOOKS_AND_EVENTS: readonly StoryStep[] = [
  ['createWebhook', { body: { url: 'https://shop.example.com/hooks', events: ['email.*', 'order.placed'], description: 'Shop' } }],
  ['listWebhooks', {}],
  ['updateWebhook', by(sampleId('whk'), { body: { events: ['*'] } })],
  ['ingestEvent', { body: { name: 'order.placed', email: 'ada@example.com', data: { total: 42, currency: 'EUR' } } }],
  ['listEvents', { query: { name: 'order.placed' } }],
  ['readEventFeed', { query: { limit: 50 } }],
  ['listEventNames', {}],
  ['getEventStats', { query: { name: 'order.placed', interval: 'day' } }],
  ['getEventUsage', { path: { name: 'order.placed' } }],
  ['listDeliveries', by(sampleId('whk'), { query: { status: 'pending' } })],
  ['getDelivery', { path: { id: sampleId('whk'), deliveryId: sampleId('whd') } }],
  ['replayDelivery', { path: { id: sampleId('whk'), deliveryId: sampleId('whd') } }],
  ['testWebhook', by(sampleId('whk'))],
  ['listWebhookGaps', by(sampleId('whk'), { query: { limit: 1 } })],
  ['replayWebhook', by(sampleId('whk'), { body: { from: '2026-11-23T08:00:00.000Z', to: '2026-11-23T09:00:00.000Z' } })],
  ['deleteWebhook', by(sampleId('whk'))],
  ['deleteEvents', { path: { name: 'order.placed' } }],
];

const NEWS = sampleId('tpc');

const TOPICS: readonly StoryStep[] = [
  [
    'createTopic',
    { body: { key: 'news', name: 'Monthly news', names: { de: 'Neues im Monat' }, defaultSubscription: 'in', visibility: 'public' } },
  ],
  ['listTopics', {}],
  ['getTopic', by(NEWS)],
  ['updateTopic', by(NEWS, { body: { description: 'What is new, once a month' } })],
  ['changeContactTopics', by('ada@example.com', { body: { topics: [{ topicId: NEWS, subscribed: false }] } })],
  ['getContactTopics', by('ada@example.com')],
];

const THE_REST: readonly StoryStep[] = [
  ['createDomain', { body: { domain: 'mail.example.com' } }],
  ['listDomains', {}],
  ['getDomain', by(sampleId('dom'))],
  ['verifyDomain', by(sampleId('dom'))],
  ['getDomainZone', by(sampleId('dom'))],
  ['getDomainReports', by(sampleId('dom'))],
  ['deleteDomain', by(sampleId('dom'))],
  ['createSuppression', { body: { email: 'grace@example.com', reason: 'manual', note: 'Asked by phone' } }],
  ['listSuppressions', { query: { reason: 'manual' } }],
  ['checkSuppression', { query: { email: 'grace@example.com' } }],
  ['getSuppression', by('grace@example.com')],
  ['updateSuppression', by('grace@example.com', { body: { note: 'Asked by phone on 23 November' } })],
  [
    'importSuppressions',
    {
      body: {
        suppressions: [
          { email: 'old@example.com', reason: 'hard_bounce', note: 'From the old system' },
          { email: 'grace@example.com', reason: 'manual' },
        ],
      },
    },
  ],
  ['deleteSuppression', by('grace@example.com')],
  ['receiveMessage', { body: { from: 'ada@example.com', to: 'support@example.com', subject: 'A question', text: 'How do I begin?' } }],
  ['listSmtpSessions', { query: { limit: 10 } }],
  ['listAudit', { query: { limit: 2 } }],
  ['listInbound', { query: { to: 'support@example.com' } }],
  ['getInboundAttachment', { path: { id: RECEIVED, attachmentId: '0' } }],
  ['listProviders', { query: { days: 7 } }],
  ['listTransports', { query: { days: 7 } }],
  ['getStats', { query: { interval: 'day' } }],
  ['getBilling', {}],
  ['updateBilling', { body: { monthlyLimitCampaign: 100_000 } }],
  ['startCheckout', { body: { plan: 'starter', returnUrl: 'https://example.com/done' } }],
  ['getSettings', {}],
  [
    'updateSettings',
    {
      body: {
        tracking: { transactional: { opens: false, clicks: false } },
        frequencyCaps: [
          { name: 'weekly', max: 2, per: { amount: 7, unit: 'days' }, whenReached: 'wait', waitUpTo: { amount: 3, unit: 'days' } },
        ],
      },
    },
  ],
  [
    'createForm',
    {
      body: {
        name: 'Newsletter',
        consentText: 'I agree to receive the newsletter.',
        fields: [{ key: 'firstName', label: 'First name', required: true, type: 'text' }],
      },
    },
  ],
  ['listForms', {}],
  ['getForm', by(FORM)],
  ['updateForm', by(FORM, { body: { state: 'held' } })],
  ['deleteForm', by(FORM)],
  ...DESIGN,
  ['createKey', { body: { kind: 'secret', scope: 'sending', expiresAt: TOMORROW } }],
  ['listKeys', {}],
  ['revokeKey', by(sampleId('key'))],
  ['getMe', {}],
  ['createInvitation', { body: { address: 'grace@example.com', role: 'marketer' } }],
  ['listInvitations', {}],
  ['withdrawInvitation', by(sampleId('inv'))],
  ['listMembers', {}],
  ['updateMember', by(PERSON, { body: { role: 'analyst' } })],
  ['removeMember', by(PERSON)],
  ['getHealth', {}],
  ['getLive', {}],
  ['getReady', {}],
  ['getOpenApi', {}],
  ['getContactTimeline', by('ada@example.com')],
  ['listContactConsent', by('ada@example.com')],
  ['verifyContactConsent', by('ada@example.com')],
  ['exportConsent', {}],
  ['exportContactData', by('ada@example.com')],
  ['deleteTopic', by(NEWS)],
  ['deleteContactField', { path: { field: 'seats' } }],
  ['deleteContact', by('ada@example.com')],
  ['getContactErasure', by('ada@example.com')],
];

/** The examples of all operations, each once, in an order in which they work: what one creates, a later one reads. Tests send them to a server. */
export const STORY: readonly StoryStep[] = [
  ...CONTACTS,
  ...TEMPLATES,
  ...SENDING,
  ...SEGMENTS,
  ...CAMPAIGNS,
  ...WORKFLOWS,
  ...WEBHOOKS_AND_EVENTS,
  ...TOPICS,
  ...THE_REST,
];
