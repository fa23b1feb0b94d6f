import { aProject } from '../../../support/platform/app';
import { contactCalls } from '../contacts/calls';
import { formCalls } from './calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, walk } = contactCalls(() => app);
const { form, read } = formCalls(() => app);

const NONE = { honeypot: 0, tooFast: 0, proofOfWork: 0, rateLimited: 0, suppressed: 0, disposable: 0, invalid: 0, held: 0 };

let keys = 0;
async function topic(): Promise<string> {
  const { body } = await api()
    .post('/v1/topics')
    .send({ key: `form_topic_${keys++}`, name: 'News', defaultSubscription: 'out', visibility: 'public' })
    .expect(201);
  return body.data.topicId as string;
}

async function template(body = '<a href="{{confirmUrl}}">Confirm</a>'): Promise<string> {
  const answer = await api()
    .post('/v1/templates')
    .send({ name: 'Confirmation', subject: 'Confirm', body, fromEmail: 'hi@hello.test' })
    .expect(201);
  return answer.body.data.templateId as string;
}

async function faults(method: 'post' | 'patch', path: string, body: object): Promise<unknown[]> {
  const answer = await api()[method](path).send(body).expect(422);
  return (answer.body.details as { path: string; code: string }[]).map((detail) => [detail.path, detail.code]);
}

test('a form is answered whole, with its defaults, its page and its HTML', async () => {
  const made = await form();
  expect(made).toEqual({
    formId: expect.stringMatching(/^frm_[0-9a-z]{26}$/),
    name: 'Newsletter',
    fields: [],
    topics: [],
    doubleOptIn: true,
    confirmation: 'default',
    confirm: 'button',
    redirectUrl: null,
    consentText: 'I want news.',
    privacyUrl: null,
    proofOfWork: false,
    state: 'open',
    heldReason: null,
    heldAt: null,
    url: `${app.core.config.PUBLIC_URL}/f/${made.formId}`,
    snippet: expect.stringContaining(`<form action="${app.core.config.PUBLIC_URL}/f/${made.formId}" method="post"`),
    createdAt: expect.any(String),
    updatedAt: made['createdAt'],
  });
  expect(await read(made.formId)).toEqual({ ...made, figures: { submitted: 0, confirmed: 0, refused: NONE } });
});

test('every member can be given and changed; what is not given stays', async () => {
  const [topicId, templateId] = [await topic(), await template()];
  const all = {
    name: 'Club',
    fields: [{ key: 'firstName', label: 'Name', required: true, type: 'text' }],
    topics: [topicId],
    doubleOptIn: false,
    confirmation: { templateId },
    confirm: 'link',
    redirectUrl: 'https://shop.example/thanks',
    consentText: 'Yes',
    privacyUrl: 'https://shop.example/privacy',
    proofOfWork: true,
  };
  const made = await form(all);
  expect(made).toMatchObject(all);
  const change = { ...all, name: 'Other', fields: [], topics: [], doubleOptIn: true, confirmation: 'default', redirectUrl: null };
  for (const [member, value] of Object.entries(change)) {
    const { body } = await api()
      .patch(`/v1/forms/${made.formId}`)
      .send({ [member]: value })
      .expect(200);
    expect(body.data[member]).toEqual(value);
  }
  expect(await read(made.formId)).toMatchObject(change);
});

test('what cannot be is refused with a fault for each member', async () => {
  const { formId } = await form();
  const field = { key: 'plan', label: 'Plan' };
  expect(await faults('post', '/v1/forms', { name: 'x' })).toEqual([['consentText', 'invalid_type']]);
  expect(await faults('patch', `/v1/forms/${formId}`, { topics: ['tpc_none'] })).toEqual([['topics.0', 'not_found']]);
  expect(await faults('patch', `/v1/forms/${formId}`, { confirmation: { templateId: 'tpl_none' } })).toEqual([
    ['confirmation.templateId', 'not_found'],
  ]);
  expect(await faults('patch', `/v1/forms/${formId}`, { confirmation: { templateId: await template('<p>Hello</p>') } })).toEqual([
    ['confirmation.templateId', 'invalid_template'],
  ]);
  expect(await faults('patch', `/v1/forms/${formId}`, { fields: [field, field] })).toEqual([['fields', 'invalid_combination']]);
  for (const key of ['email', 'website_url', 'challenge', 'proof', '__proto__', 'constructor']) {
    expect(await faults('patch', `/v1/forms/${formId}`, { fields: [{ ...field, key }] })).toEqual([['fields.0.key', 'reserved_name']]);
  }
  expect(await faults('patch', `/v1/forms/${formId}`, { redirectUrl: 'javascript:alert(1)' })).toEqual([['redirectUrl', 'invalid_string']]);
});

test('forms are listed newest first, are of their project, and can be deleted', async () => {
  const made = [await form(), await form(), await form()];
  const listed = await walk<{ formId: string }>('/v1/forms', { limit: 2 });
  expect(listed.slice(0, 3).map(({ formId }) => formId)).toEqual(made.map(({ formId }) => formId).reverse());
  const { formId = '' } = made[0] ?? {};
  const other = api(app.otherKeys.secret);
  await other.get(`/v1/forms/${formId}`).expect(404);
  await other.patch(`/v1/forms/${formId}`).send({ name: 'x' }).expect(404);
  await other.delete(`/v1/forms/${formId}`).expect(404);
  await api().delete(`/v1/forms/${formId}`).expect(200);
  await api().get(`/v1/forms/${formId}`).expect(404);
  await api().delete(`/v1/forms/${formId}`).expect(404);
});

test('a topic and a template stay while a form uses them', async () => {
  const [topicId, templateId] = [await topic(), await template()];
  const { formId } = await form({ topics: [topicId], confirmation: { templateId } });
  for (const path of [`/v1/topics/${topicId}`, `/v1/templates/${templateId}`]) await api().delete(path).expect(409);
  await api().delete(`/v1/forms/${formId}`).expect(200);
  for (const path of [`/v1/topics/${topicId}`, `/v1/templates/${templateId}`]) await api().delete(path).expect(200);
});

test('the HTML of a form escapes what its author wrote, and links to the page for a proof of work', async () => {
  const said = { name: '<b>"N"</b>', consentText: '<script>x</script>', fields: [{ key: 'plan', label: '"><img>' }] };
  const { snippet } = await form(said);
  expect(snippet).not.toMatch(/<script|<img|<b>/);
  expect((await form({ ...said, proofOfWork: true })).snippet).toMatch(/^<a href="[^"]+">&lt;b&gt;/);
});
