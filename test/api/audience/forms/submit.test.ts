import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { challengeFor } from '../../../../src/marketing/forms/submit';
import { DAY, optInCalls } from '../../../support/calls/opt-ins';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { contactCalls } from '../contacts/calls';
import { formCalls } from './calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', TRUSTED_PROXIES: '1' } });
const { api, upsert, walk } = contactCalls(() => app);
const { turn, mailTo, linkOf, visit, confirm } = optInCalls(() => app);
const { form, read, page, post, submit } = formCalls(() => app);

let count = 0;
const fresh = (): string => `form-${count++}@example.com`;
const exists = async (email: string): Promise<boolean> => (await api().get(`/v1/contacts/${email}`)).status === 200;
const consentOf = (which: string) => walk<Record<string, unknown>>(`/v1/contacts/${which}/consent`, {});
const pending = (email: string) => stored.optIns.one({ email });
const refusedOf = async (formId: string) =>
  Object.fromEntries(Object.entries((await read(formId)).figures.refused).filter(([, times]) => times > 0));

async function topic(): Promise<string> {
  const { body } = await api()
    .post('/v1/topics')
    .send({ key: `submit_topic_${count++}`, name: 'Product news', defaultSubscription: 'out', visibility: 'public' })
    .expect(201);
  return body.data.topicId as string;
}

/** A challenge that was drawn so long ago. */
const challenge = (formId: string, agoMs: number): string => challengeFor(app.core, { _id: formId }, new Date(Date.now() - agoMs));

function proofOf(text: string): string {
  for (let proof = 0; ; proof++) if (createHash('sha256').update(`${text}:${proof}`).digest('hex').startsWith('0000')) return String(proof);
}

test('from the page to the contact: confirmed by mail, with fields, topic and evidence', async () => {
  const email = fresh();
  const topicId = await topic();
  const fields = [
    { key: 'firstName', label: 'First name', required: true, type: 'text' },
    { key: 'age', label: 'Age', type: 'number' },
    { key: 'pro', label: 'Professional', type: 'boolean' },
  ];
  const { formId } = await form({ topics: [topicId], fields, privacyUrl: 'https://shop.example/privacy' });
  const { text, headers } = await page(formId).expect(200);
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src " +
      `${/'sha256-[^']+'/.exec(headers['content-security-policy'] ?? '')?.[0]}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  for (const said of ['First name', 'I want news.', 'https://shop.example/privacy', 'name="email"']) expect(text).toContain(said);
  const answer = await submit(formId, { email, firstName: 'Ada', age: '36', pro: 'on', challenge: challenge(formId, 5_000) }).expect(200);
  expect(answer.text).toContain('Check your inbox');
  expect(await exists(email)).toBe(false);
  await turn(email);
  await confirm(await linkOf(email));
  const { body } = await api().get(`/v1/contacts/${email}`).expect(200);
  expect(body.data).toMatchObject({ firstName: 'Ada', subscribed: true, data: { age: 36, pro: true } });
  const topics = (await api().get(`/v1/contacts/${email}/topics`).expect(200)).body.data.data as { topicId: string; subscribed: boolean }[];
  expect(topics.filter(({ subscribed }) => subscribed).map((each) => each.topicId)).toEqual([topicId]);
  expect(await consentOf(email)).toMatchObject([
    { kind: 'confirmed', source: 'opt_in', formId, topicId, ip: expect.stringMatching(/^ip_/) },
    { kind: 'requested', source: 'form', formId, topicId, text: 'I want news.', ip: expect.stringMatching(/^ip_/) },
  ]);
  expect((await read(formId)).figures).toMatchObject({ submitted: 1, confirmed: 1 });
  const list = await app.api().get('/v1/forms').expect(200);
  const listed = (list.body.data as { formId: string }[]).find((each) => each.formId === formId);
  expect(listed).toEqual(await read(formId));
});

test('JSON is taken from any site, and says that the confirmation is pending', async () => {
  const { formId } = await form();
  const { headers, body } = await post(formId, { email: fresh() }).expect(202);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(body).toEqual({ success: true, data: { status: 'pending' } });
  const preflight = await app.api().options(`/f/${formId}`).expect(204);
  expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST' });
});

test('a form leads to the page of its owner, which its policy allows', async () => {
  const { formId } = await form({ redirectUrl: 'https://shop.example/thanks?a=1' });
  const { headers } = await submit(formId, { email: fresh() }).expect(303);
  expect(headers['location']).toBe('https://shop.example/thanks?a=1');
  expect((await page(formId)).headers['content-security-policy']).toContain("form-action 'self' https://shop.example;");
});

test('50 sign-ups of one address at once send exactly one confirmation', async () => {
  const email = fresh();
  const { formId } = await form();
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(formId, { email })));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
  await Promise.all(Array.from({ length: 5 }, () => turn(email)));
  expect(await mailTo(email)).toHaveLength(1);
  expect(await refusedOf(formId)).toEqual({ rateLimited: 45 });
});

test('one network address can sign up 20 times an hour', async () => {
  const { formId } = await form();
  const statuses = [];
  for (let time = 0; time < 21; time++) statuses.push((await post(formId, { email: fresh() }, '203.0.113.9')).status);
  expect(statuses).toEqual([...Array<number>(20).fill(202), 429]);
});

test('what a robot fills in, and what comes too fast, is answered as everybody is, and nothing is done', async () => {
  const { formId } = await form();
  const [trapped, fast] = [fresh(), fresh()];
  const alike = await post(formId, { email: fresh() }).expect(202);
  expect((await post(formId, { email: trapped, website_url: 'https://spam.example' }).expect(202)).body).toEqual(alike.body);
  expect((await post(formId, { email: fast, challenge: challenge(formId, 100) }).expect(202)).body).toEqual(alike.body);
  expect([await pending(trapped), await pending(fast)]).toEqual([null, null]);
  expect(await refusedOf(formId)).toEqual({ honeypot: 1, tooFast: 1 });
});

test('an address that bounces, or is thrown away, is answered as every other one, and gets nothing', async () => {
  const { formId } = await form();
  const bounced = fresh();
  await api().post('/v1/suppressions').send({ email: bounced, reason: 'hard_bounce' }).expect(201);
  const disposable = `x${count++}@mailinator.com`;
  for (const email of [bounced, disposable]) {
    expect((await post(formId, { email }).expect(202)).body).toEqual({ success: true, data: { status: 'pending' } });
    expect(await pending(email)).toBeNull();
  }
  expect(await refusedOf(formId)).toEqual({ suppressed: 1, disposable: 1 });
});

test('a person who is subscribed already is answered as every other one, and gets no mail', async () => {
  const { formId } = await form();
  const email = fresh();
  await upsert(email, { firstName: 'Ada' });
  await post(formId, { email, firstName: 'Eve' }).expect(202);
  expect(await pending(email)).toBeNull();
});

test('what is missing or wrong is named, for programs and for people', async () => {
  const fields = [
    { key: 'firstName', label: 'First name', required: true, type: 'text' },
    { key: 'age', label: 'Age', type: 'number' },
    { key: 'born', label: 'Born', type: 'date' },
  ];
  const { formId } = await form({ fields });
  const { body } = await post(formId, { email: 'nobody', age: 'old', born: '1990' }).expect(422);
  expect((body.details as { path: string }[]).map(({ path }) => path)).toEqual(['email', 'firstName', 'age', 'born']);
  await post(formId, { email: fresh(), firstName: 'Ada', born: '2023-02-29' }).expect(422);
  const shown = await submit(formId, { email: 'a"><b>@example.com', firstName: '' }).expect(422);
  expect(shown.text).toContain('First name is required');
  expect(shown.text).not.toContain('"><b>');
  await app.api().post(`/f/${formId}`).set('Content-Type', 'application/json').send('{').expect(422);
  await app.api().post('/f/frm_none').send({ email: fresh() }).expect(404);
  expect(await refusedOf(formId)).toEqual({ invalid: 3 });
});

describe('a proof of work', () => {
  test('is asked for by the page, with the only script that its policy lets run', async () => {
    const { formId } = await form({ proofOfWork: true });
    const { text, headers } = await page(formId).expect(200);
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
    expect(headers['content-security-policy']).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  });

  test('is solved by the script of the page as the platform checks it', async () => {
    const { formId } = await form({ proofOfWork: true });
    const { text } = await page(formId).expect(200);
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
    const drawn = challenge(formId, 5_000);
    const proof = await new Promise<string>((resolve) => {
      const elements = { challenge: { value: drawn }, proof: { value: '' } };
      const fake = {
        elements,
        querySelector: () => ({ getAttribute: () => '' }),
        addEventListener: (_name: string, listener: (event: object) => void) =>
          setTimeout(listener, 0, { preventDefault: () => undefined }),
        submit: () => resolve(elements.proof.value),
      };
      runInNewContext(script, { document: { querySelector: () => fake }, setTimeout });
    });
    expect((await post(formId, { email: fresh(), challenge: drawn, proof })).status).toBe(202);
  });

  test('is needed, of the form, and used once', async () => {
    const { formId } = await form({ proofOfWork: true });
    const { formId: other } = await form({ proofOfWork: true });
    const [mine, others] = [challenge(formId, 5_000), challenge(other, 5_000)];
    await post(formId, { email: fresh() }).expect(422);
    await post(formId, { email: fresh(), challenge: mine, proof: '1' }).expect(422);
    await post(formId, { email: fresh(), challenge: others, proof: proofOf(others) }).expect(422);
    await post(formId, { email: fresh(), challenge: mine, proof: proofOf(mine) }).expect(202);
    await post(formId, { email: fresh(), challenge: mine, proof: proofOf(mine) }).expect(422);
    const old = challenge(formId, 2 * DAY);
    await post(formId, { email: fresh(), challenge: old, proof: proofOf(old) }).expect(422);
    expect(await refusedOf(formId)).toEqual({ proofOfWork: 5 });
  });
});

describe('a hold', () => {
  test('comes with a burst, says why, and ends when the form is opened again', async () => {
    const { formId } = await form();
    await post(formId, { email: fresh() }).expect(202);
    await stored.formHours.change({ formId }, { count: 100 });
    await post(formId, { email: fresh() }).expect(409);
    const held = await read(formId);
    expect(held).toMatchObject({ state: 'held', heldReason: 'burst', heldAt: expect.any(String) });
    expect((await page(formId).expect(409)).text).toContain('Sign-up is paused');
    await post(formId, { email: fresh() }).expect(409);
    expect(await refusedOf(formId)).toEqual({ held: 2 });
    await api().patch(`/v1/forms/${formId}`).send({ state: 'open' }).expect(200);
    expect(await read(formId)).toMatchObject({ state: 'open', heldReason: null, heldAt: null });
    await post(formId, { email: fresh() }).expect(202);
  });

  test('does not come with as many sign-ups as are usual for the form', async () => {
    const { formId } = await form();
    const { projectId } = app.keys;
    await stored.forms.change(formId, { createdAt: new Date(Date.now() - 7 * DAY) });
    const hours = Array.from({ length: 100 }, (_, index) => ({
      _id: `${formId}/${index}`,
      projectId,
      formId,
      hour: new Date(Date.now() - (index + 1) * 3_600_000),
      count: 50,
    }));
    await stored.formHours.make(hours);
    await post(formId, { email: fresh() }).expect(202);
    await stored.formHours.change({ formId, count: 1 }, { count: 200 });
    await post(formId, { email: fresh() }).expect(202);
    expect((await read(formId)).state).toBe('open');
    await stored.formHours.change({ formId, count: 201 }, { count: 400 });
    await post(formId, { email: fresh() }).expect(409);
  });

  test('can be set and ended by hand', async () => {
    const { formId } = await form();
    const { body } = await api().patch(`/v1/forms/${formId}`).send({ state: 'held' }).expect(200);
    expect(body.data).toMatchObject({ state: 'held', heldReason: 'manual' });
    await submit(formId, { email: fresh() }).expect(409);
  });
});

describe('a form without double opt-in', () => {
  test('subscribes at once, with the evidence', async () => {
    const topicId = await topic();
    const { formId } = await form({ doubleOptIn: false, topics: [topicId], fields: [{ key: 'firstName', label: 'Name' }] });
    const email = fresh();
    expect((await post(formId, { email, firstName: 'Ada' }).expect(200)).body).toEqual({ success: true, data: { status: 'subscribed' } });
    const { body } = await api().get(`/v1/contacts/${email}`).expect(200);
    expect(body.data).toMatchObject({ firstName: 'Ada', subscribed: true });
    expect(await consentOf(email)).toMatchObject([{ kind: 'changed', source: 'form', formId, topicId, text: 'I want news.' }]);
  });

  test('leaves the fields of a contact alone, and asks a person who opted out', async () => {
    const { formId } = await form({ doubleOptIn: false, fields: [{ key: 'firstName', label: 'Name' }] });
    const email = fresh();
    await upsert(email, { firstName: 'Ada' });
    await post(formId, { email, firstName: 'Eve' }).expect(200);
    expect((await api().get(`/v1/contacts/${email}`).expect(200)).body.data).toMatchObject({ firstName: 'Ada' });
    await upsert(email, { subscribed: false }, 200);
    await post(formId, { email, firstName: 'Eve' }).expect(200);
    expect((await api().get(`/v1/contacts/${email}`).expect(200)).body.data).toMatchObject({ subscribed: false });
    expect(await pending(email)).toMatchObject({ status: 'pending' });
  });
});

describe('a form that confirms by its link', () => {
  const MACHINES: readonly [string, 'get' | 'head', Record<string, string>][] = [
    ['HEAD', 'head', {}],
    ['a prefetch', 'get', { 'Sec-Purpose': 'prefetch' }],
    ['a scanner', 'get', { 'User-Agent': 'Mozilla/5.0 (compatible; LinkScanner/1.0; +https://scanner.example)' }],
    ['a program without a name', 'get', { 'User-Agent': '' }],
  ];

  test('is confirmed by a person who opens it, and by no machine', async () => {
    const { formId } = await form({ confirm: 'link' });
    const email = fresh();
    await post(formId, { email }).expect(202);
    const link = await linkOf(email);
    for (const [, method, headers] of MACHINES) {
      await visit(method, link, headers).expect(200);
      expect(await exists(email)).toBe(false);
    }
    expect((await visit('get', link).expect(200)).text).toContain('You are subscribed');
    expect(await exists(email)).toBe(true);
  });

  test('asks by the button once more was asked for than the message says', async () => {
    const email = fresh();
    await post((await form({ confirm: 'link' })).formId, { email }).expect(202);
    await post((await form({ confirm: 'link', topics: [await topic()] })).formId, { email }).expect(202);
    expect((await visit('get', await linkOf(email)).expect(200)).text).toContain('Product news');
    expect(await exists(email)).toBe(false);
  });
});

test('a confirmation of your own is the template, with the link', async () => {
  const sender = { fromEmail: 'hi@hello.test', type: 'marketing' };
  const template = { ...sender, name: 'Confirm', subject: 'Hello from {{projectName}}', body: '<a href="{{confirmUrl}}">Yes</a>' };
  const { body } = await api().post('/v1/templates').send(template).expect(201);
  const { formId } = await form({ confirmation: { templateId: body.data.templateId as string } });
  const email = fresh();
  await post(formId, { email }).expect(202);
  await turn(email);
  const [mail] = await mailTo(email);
  expect(mail).toMatchObject({ type: 'transactional', templateId: body.data.templateId });
  const sent = await api().get(`/v1/emails/${mail?._id}`).expect(200);
  expect(sent.body.data.body).toContain(await linkOf(email));
});

test('network addresses are kept as the settings say', async () => {
  const { formId } = await form();
  const kept = async (ip: string): Promise<unknown> => {
    await api().patch('/v1/settings').send({ consent: { ip } }).expect(200);
    const email = fresh();
    await post(formId, { email }, '192.0.2.44').expect(202);
    return (await consentOf(email))[0]?.['ip'];
  };
  expect(await kept('full')).toBe('192.0.2.44');
  expect(await kept('off')).toBeNull();
  expect(await kept('hash')).toMatch(/^ip_/);
});
