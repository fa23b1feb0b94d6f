import { DAY, optInCalls } from '../../../support/calls/opt-ins';
import { erasureCalls } from '../../../support/calls/erasures';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { contactCalls } from '../contacts/calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, upsert, walk, emitted } = contactCalls(() => app);
const { rowOf, turn, mailTo, linkOf, visit, confirm } = optInCalls(() => app);
const { erase, remove } = erasureCalls(() => app);

let count = 0;
const fresh = (): string => `opt-in-${count++}@example.com`;

interface OptIn {
  readonly status: string;
  readonly topics: readonly string[];
  readonly requestedAt: string | null;
  readonly expiresAt: string | null;
}

async function ask(email: string, more: object = {}, status = 202): Promise<{ readonly optIn: OptIn; readonly [member: string]: unknown }> {
  const { body } = await api()
    .post('/v1/contacts')
    .send({ email, optIn: 'double', ...more })
    .expect(status);
  return body.data;
}

async function topic(change: object = {}): Promise<string> {
  const { body } = await api()
    .post('/v1/topics')
    .send({ key: `topic_${count++}`, name: 'News', defaultSubscription: 'out', visibility: 'public', ...change })
    .expect(201);
  return body.data.topicId as string;
}

const consentOf = (which: string) => walk<Record<string, unknown>>(`/v1/contacts/${which}/consent`, {});
const exists = async (email: string): Promise<boolean> => (await api().get(`/v1/contacts/${email}`)).status === 200;

describe('a request', () => {
  test('makes nobody a contact, says that it is pending, and shows the contact as it will be', async () => {
    const email = fresh();
    const { optIn, ...contact } = await ask(email, { firstName: 'Ada', data: { plan: 'pro' } });
    expect(contact).toMatchObject({ email, firstName: 'Ada', data: { plan: 'pro' }, subscribed: false });
    expect(optIn).toMatchObject({ status: 'pending', topics: [] });
    expect(Date.parse(optIn.expiresAt ?? '') - Date.parse(optIn.requestedAt ?? '')).toBe(7 * DAY);
    expect(await exists(email)).toBe(false);
    expect(await mailTo(email)).toEqual([]);
  });

  test('starts the workflow of its address, which is in the outbox until Temporal has taken it', async () => {
    const email = fresh();
    app.processes.start.mockRejectedValueOnce(new Error('Temporal is away'));
    await ask(email);
    const { _id, projectId } = await rowOf(email);
    const { intent } = await stored.outbox.get(`opt-in/${_id}`);
    expect(JSON.parse(intent)).toMatchObject({ workflow: 'optIn', workflowId: `opt-in/${_id}`, input: { optInId: _id, projectId } });
    expect(await stored.underWay.one(`opt-in/${_id}`)).not.toBeNull();
  });

  test('is refused for a topic that does not exist, for combinations without sense, and without a domain to send from', async () => {
    const email = fresh();
    const details = async (body: object, key?: string) => {
      const answer = await api(key)
        .post('/v1/contacts')
        .send({ email, ...body })
        .expect(422);
      return (answer.body.details as { path: string; code: string }[]).map(({ path, code }) => [path, code]);
    };
    expect(await details({ optIn: 'double', topics: [await topic(), 'tpc_none'] })).toEqual([['topics.1', 'not_found']]);
    expect(await details({ topics: ['tpc_1'] })).toEqual([['topics', 'invalid_combination']]);
    expect(await details({ consent: { text: 'x' } })).toEqual([['consent', 'invalid_combination']]);
    expect(await details({ optIn: 'double', subscribed: false })).toEqual([['subscribed', 'invalid_combination']]);
    expect(await details({ optIn: 'double', consent: { ip: '' } })).toEqual([['consent.ip', 'too_small']]);
    expect(await details({ optIn: 'single' })).toEqual([['optIn', 'invalid_enum_value']]);
    expect(await details({ optIn: 'double' }, app.otherKeys.secret)).toEqual([['', 'no_from_address']]);
    expect(await stored.optIns.one({ email })).toBeNull();
  });

  test('for somebody who gets all of it already asks nothing and changes the fields', async () => {
    const email = fresh();
    await upsert(email);
    const { optIn, firstName } = await ask(email, { firstName: 'Eve' }, 200);
    expect([optIn.status, firstName]).toEqual(['confirmed', 'Eve']);
    expect(await stored.optIns.one({ email })).toBeNull();
    expect((await ask(email, { topics: [await topic()] })).optIn.status).toBe('pending');
  });

  test.each(['hard_bounce', 'complaint', 'manual'])('for an address with the suppression %s sends nothing, and says so', async (reason) => {
    const email = fresh();
    await stored.suppressions.remove({ email });
    await api().post('/v1/suppressions').send({ email, reason }).expect(201);
    expect((await ask(email, {}, 200)).optIn).toEqual({ status: 'suppressed', topics: [], requestedAt: null, expiresAt: null });
    expect(await stored.optIns.one({ email })).toBeNull();
  });
});

describe('the confirmation', () => {
  test('is one transactional message without tracking, in the language of the person', async () => {
    const email = fresh();
    const topics = [await topic({ name: 'News', names: { de: 'Neues' } })];
    await ask(email, { locale: 'de-AT', topics, consent: { text: 'Ich bin <einverstanden>.' } });
    await turn(email);
    const [mail] = await mailTo(email);
    expect(mail).toMatchObject({ type: 'transactional', status: 'queued', untracked: ['opens', 'clicks'] });
    const { body } = await api().get(`/v1/emails/${mail?._id}`).expect(200);
    const { subject, body: html, text } = body.data as { readonly subject: string; readonly body: string; readonly text: string };
    expect(subject).toMatch(/^Bitte bestätigen Sie Ihre Anmeldung/);
    for (const part of [html, text]) expect(part).toContain(await linkOf(email));
    expect(html).toContain('<li>Neues</li>');
    expect(html).toContain('Ich bin &lt;einverstanden&gt;.');
  });

  test('is sent once, however often it is asked for and however often its turn is repeated', async () => {
    const email = fresh();
    await Promise.all(Array.from({ length: 50 }, () => ask(email)));
    await Promise.all(Array.from({ length: 5 }, () => turn(email)));
    await ask(email);
    await turn(email);
    expect(await mailTo(email)).toHaveLength(1);
    expect(await consentOf(email)).toMatchObject([{ kind: 'requested', source: 'api' }]);
  });

  test('is repeated once after a day, and after that only a day later when it is asked for again', async () => {
    const email = fresh();
    await ask(email);
    expect(await turn(email)).toMatchObject({ status: 'pending', mails: 1, waitMs: DAY });
    await turn(email, DAY - 60_000);
    expect(await mailTo(email)).toHaveLength(1);
    await turn(email, DAY + 60_000);
    await turn(email, 5 * DAY);
    expect(await mailTo(email)).toHaveLength(2);
    await ask(email);
    await turn(email);
    expect(await mailTo(email)).toHaveLength(2);
    await turn(email, 2 * DAY + 120_000);
    expect(await mailTo(email)).toHaveLength(3);
  });

  test('that is not possible now is tried again, and not for a suppressed address', async () => {
    const email = fresh();
    await ask(email);
    await stored.projects.change(app.keys.projectId, { disabledAt: new Date() });
    expect(await turn(email)).toMatchObject({ mails: 0, waitMs: 3_600_000 });
    await stored.projects.change(app.keys.projectId, { disabledAt: null });
    await turn(email, 3_700_000);
    expect(await mailTo(email)).toHaveLength(1);
    const bounced = fresh();
    await ask(bounced);
    await api().post('/v1/suppressions').send({ email: bounced, reason: 'hard_bounce' }).expect(201);
    const outlook = await turn(bounced);
    expect(outlook?.waitMs).toBeGreaterThan(6 * DAY);
    expect(await mailTo(bounced)).toEqual([]);
  });

  test('goes with the opt-in after seven days', async () => {
    const email = fresh();
    await ask(email);
    await turn(email);
    const link = await linkOf(email);
    expect(await turn(email, 7 * DAY + 1)).toBeNull();
    expect(await stored.optIns.one({ email })).toBeNull();
    await visit('get', link).expect(404);
  });
});

describe('the link', () => {
  test('confirms by its button: the person is a contact with all that came with the request', async () => {
    const email = fresh();
    const [first, second] = [await topic(), await topic()];
    await ask(email, {
      firstName: 'Ada',
      data: { plan: 'pro' },
      topics: [first, second],
      consent: { text: 'Yes, please', ip: '192.0.2.7', userAgent: 'Shop/1' },
    });
    await turn(email);
    const link = await linkOf(email);
    const page = await visit('get', link).expect(200);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer' });
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(await exists(email)).toBe(false);
    expect(await confirm(link)).toContain('You are subscribed');
    const { body } = await api().get(`/v1/contacts/${email}`).expect(200);
    expect(body.data).toMatchObject({ firstName: 'Ada', data: { plan: 'pro' }, subscribed: true });
    const topics = (await api().get(`/v1/contacts/${email}/topics`).expect(200)).body.data.data as Record<string, unknown>[];
    const joined = topics.filter(({ subscribed }) => subscribed).map(({ topicId, explicit, source }) => [topicId, explicit, source]);
    expect(joined).toEqual([
      [first, true, 'opt_in'],
      [second, true, 'opt_in'],
    ]);
    const names = (await emitted(body.data.contactId as string)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['contact.created', 'contact.topic_subscribed', 'contact.topic_subscribed']));
    const [mail] = await mailTo(email);
    const entries = await consentOf(email);
    expect(entries).toMatchObject([
      { kind: 'confirmed', source: 'opt_in', topicId: second, emailId: mail?._id, text: expect.stringContaining('Yes, please') },
      { kind: 'confirmed', source: 'opt_in', topicId: first },
      { kind: 'requested', source: 'api', topicId: second, text: 'Yes, please', userAgent: 'Shop/1' },
      { kind: 'requested', source: 'api', topicId: first, ip: expect.stringMatching(/^ip_/) },
    ]);
  });

  test('shows the state when it is opened again, and confirms once', async () => {
    const email = fresh();
    await ask(email);
    await turn(email);
    const link = await linkOf(email);
    await confirm(link);
    const again = await visit('get', link).expect(200);
    expect(again.text).toContain('You are subscribed');
    await confirm(link);
    expect((await consentOf(email)).map(({ kind }) => kind)).toEqual(['confirmed', 'requested']);
    await turn(email, 2 * DAY);
    expect(await mailTo(email)).toHaveLength(1);
  });

  test.each<[string, 'get' | 'head', Record<string, string>]>([
    ['HEAD', 'head', {}],
    ['a prefetch', 'get', { Purpose: 'prefetch' }],
    ['a scanner', 'get', { 'User-Agent': 'Mozilla/5.0 (compatible; LinkScanner/1.0; +https://scanner.example)' }],
    ['a person', 'get', {}],
  ])('confirms nothing when it is opened by %s', async (_who, method, headers) => {
    const email = fresh();
    await ask(email);
    await visit(method, await linkOf(email), headers).expect(200);
    expect(await exists(email)).toBe(false);
  });

  test('confirms only what its page showed', async () => {
    const email = fresh();
    await ask(email, { topics: [await topic({ name: 'First' })] });
    const link = await linkOf(email);
    const page = await visit('get', link).expect(200);
    const version = /name="version" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    await ask(email, { topics: [await topic({ name: 'Second' })] });
    const request = app.api(null).post(link).type('form');
    const { text } = await request.send({ version }).expect(200);
    expect(text).toContain('Second');
    expect(await exists(email)).toBe(false);
    expect(await confirm(link)).toContain('You are subscribed');
    expect((await consentOf(email)).filter(({ kind }) => kind === 'confirmed')).toHaveLength(2);
  });

  test('subscribes again who had opted out', async () => {
    const email = fresh();
    await upsert(email);
    await upsert(email, { subscribed: false }, 200);
    expect(await ask(email, { firstName: 'Later' })).toMatchObject({ subscribed: false, firstName: null, optIn: { status: 'pending' } });
    await confirm(await linkOf(email));
    const { body } = await api().get(`/v1/contacts/${email}`).expect(200);
    expect(body.data).toMatchObject({ subscribed: true, firstName: 'Later' });
    expect((await consentOf(email)).map(({ kind }) => kind)).toEqual(['confirmed', 'requested', 'withdrawn']);
  });

  test('of an earlier round leads nowhere, and so does one that was altered', async () => {
    const email = fresh();
    await ask(email);
    const link = await linkOf(email);
    const altered = link.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const method of ['get', 'post'] as const) await app.api(null)[method](altered).expect(404);
    await confirm(link);
    await upsert(email, { subscribed: false }, 200);
    await ask(email);
    await visit('get', link).expect(404);
    expect(await linkOf(email)).not.toBe(link);
  });

  test('that is used at once by many confirms once', async () => {
    const email = fresh();
    await ask(email);
    const link = await linkOf(email);
    await Promise.all(Array.from({ length: 10 }, () => confirm(link)));
    expect((await consentOf(email)).map(({ kind }) => kind)).toEqual(['confirmed', 'requested']);
  });
});

test('a new round within a day is mailed a day after the last message', async () => {
  const email = fresh();
  await ask(email);
  await turn(email);
  await confirm(await linkOf(email));
  await upsert(email, { subscribed: false }, 200);
  await ask(email);
  await turn(email);
  expect(await mailTo(email)).toHaveLength(1);
  await turn(email, DAY + 60_000);
  expect(await mailTo(email)).toHaveLength(2);
});

test('a test key asks in test mode, beside what is asked for in live mode', async () => {
  const email = fresh();
  await ask(email);
  await api(app.keys.test).post('/v1/contacts').send({ email, optIn: 'double' }).expect(202);
  expect((await stored.optIns.all({ email })).map(({ testMode }) => testMode).sort()).toEqual([false, true]);
});

test('erasure removes what waits for its confirmation', async () => {
  const email = fresh();
  await upsert(email);
  await ask(email, { topics: [await topic()] });
  await remove(email);
  await erase(email);
  expect(await stored.optIns.one({ email })).toBeNull();
});
