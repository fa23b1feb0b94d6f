import { eventually } from '../../support/platform/platform';
import type { Area, Ground } from './area';
import { LINK, NAME, PLANTED, TEXT } from './words';

const PEOPLE = [
  ['grace@example.com', 'Grace', 'Hopper', 'pro'],
  ['katherine@example.com', 'Katherine', 'Johnson', 'free'],
  ['annie@example.com', 'Annie', 'Easley', 'free'],
  ['radia@example.com', 'Radia', 'Perlman', 'team'],
  ['ada@example.com', 'Ada', 'Lovelace', 'pro'],
] as const;

/** The id of an import that has ended, of a file of which some rows could not be used. */
async function imported({ platform, upload }: Ground, rows: readonly string[]): Promise<string> {
  const importId = await upload('/v1/contacts/import', ['email,firstName', ...rows].join('\n'));
  await eventually(
    'the import has ended',
    async () => (await platform.get(`/v1/contacts/import/${importId}`)).body.data.status === 'completed',
  );
  return importId;
}

const QUESTIONS = [
  { key: 'firstName', label: 'First name' },
  { key: 'city', label: 'City' },
];

/** Signs somebody up, as a robot does that fills in all it finds, and as a person does. */
async function signUp({ platform }: Ground, formId: string, members: object): Promise<void> {
  const headers = { 'content-type': 'application/json', 'user-agent': TEXT };
  for (const body of [{ ...members, website_url: 'x' }, members]) {
    const answer = await fetch(`${platform.url}/f/${formId}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`The form answered ${answer.status}`);
  }
}

/** Contacts, topics, forms and suppressions. Ada is there in either world: the other areas write to her. */
export const people: Area = {
  screens: [
    ['contacts', () => '/contacts', 'Contacts', PLANTED],
    ['import', () => '/contacts/import', 'Import contacts', 'CSV file'],
    ['import-job', ({ importId }) => `/contacts/import/${importId}`, 'Import', /Not an e-mail address/],
    ['contact', ({ contactId }) => `/contacts/${contactId}`, PLANTED, 'order.placed'],
    ['events', () => '/events', 'Events', 'order.placed'],
    ['topics', () => '/topics', 'Topics', PLANTED],
    ['forms', () => '/forms', 'Forms', PLANTED],
    ['form', ({ formId }) => `/forms/${formId}`, PLANTED, 'Refused sign-ups'],
    ['edit-form', ({ formId }) => `/forms/${formId}/edit`, /^Edit /, 'Topics to join'],
    ['suppressions', () => '/suppressions', 'Suppressions', PLANTED],
    ['import-suppressions', () => '/suppressions/import', 'Import suppressions', 'CSV file'],
  ],

  async example(ground) {
    const { post } = ground;
    const importId = await imported(ground, ['joan@example.com,Joan', 'mary@example.com,Mary', 'karen at example.com,Karen']);
    let ids = {};
    for (const [email, firstName, lastName, plan] of PEOPLE)
      ids = await post('/v1/contacts', { email, firstName, lastName, data: { plan, city: 'London' } });
    const news = await post('/v1/topics', { key: 'news', name: 'News', description: 'Once a month', defaultSubscription: 'in' });
    await post('/v1/topics', { key: 'offers', name: 'Offers', description: 'Before the holidays', defaultSubscription: 'out' });
    const consentText = 'I agree to receive news of Paper & Quill by email.';
    const form = {
      name: 'Newsletter',
      consentText,
      fields: QUESTIONS,
      topics: [news['topicId']],
      privacyUrl: 'https://example.com/privacy',
    };
    const { formId = '' } = await post('/v1/forms', form);
    await post('/v1/suppressions', { email: 'old-address@example.com', reason: 'hard_bounce', note: 'From the old shop' });
    await post('/v1/suppressions', { email: 'no-more@example.com', reason: 'complaint' });
    await post('/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { order: 'A-1042', total: 48.5 } });
    return { ...ids, importId, formId };
  },

  async planted(ground) {
    const { post } = ground;
    const cell = `"${TEXT.replaceAll('"', '""')}"`;
    const importId = await imported(ground, [`${cell},x`]);
    const data = { company: TEXT, link: LINK };
    const ids = await post('/v1/contacts', { email: 'ada@example.com', firstName: NAME, lastName: NAME, data });
    const topic = { key: 'planted', name: NAME, description: TEXT, names: { de: NAME }, defaultSubscription: 'in' };
    const { topicId } = await post('/v1/topics', topic);
    const form = { name: NAME, consentText: TEXT, fields: [{ key: 'company', label: NAME }], topics: [topicId] };
    const { formId = '' } = await post('/v1/forms', { ...form, doubleOptIn: false, privacyUrl: `https://example.com/?${TEXT}` });
    await signUp(ground, formId, { email: 'ada@example.com' });
    await post('/v1/suppressions', { email: 'img@example.com', note: TEXT });
    await post('/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { note: TEXT, within: { note: TEXT } } });
    return { ...ids, importId, formId };
  },
};
