import { aProject } from '../../../support/platform/app';
import { erasureCalls } from '../../../support/calls/erasures';
import { handOnAll } from '../../../support/servers/webhooks';
import { onTheWireOf } from '../../../support/checks/wire';
import { MESSAGE, addresses, all, copyCalls } from './copy-calls';
import type { Answer, Result } from './copy-calls';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', WEBHOOK_ALLOW_PRIVATE: 'true' } });

const { fresh, rowOf } = erasureCalls(() => app);
const { post, send } = copyCalls(() => app);

test('everybody has an envelope and a row of their own, the same headers, Message-ID and words, and bcc is not seen', async () => {
  const [ada, bob, eve, dan] = [fresh(), fresh(), fresh(), fresh()];
  await post('/v1/contacts', { email: ada, firstName: 'Ada' }).expect(201);
  await post('/v1/contacts', { email: eve, firstName: 'Eve' }).expect(201);
  const answer = await send({ to: `Ada <${ada}>`, cc: [`"B., Bob" <${bob}>`, { email: eve }], bcc: dan });
  expect([answer.results, answer.cc, answer.bcc].map((list) => list?.map(({ to, status }) => [to, status]))).toEqual([
    [[ada, 'queued']],
    [
      [bob, 'queued'],
      [eve, 'queued'],
    ],
    [[dan, 'queued']],
  ]);
  const wires = await Promise.all(all(answer).map(({ id }) => onTheWireOf(app, id)));
  expect(wires.map(({ envelopeTo }) => envelopeTo)).toEqual([ada, bob, eve, dan]);
  expect(new Set(wires.map(({ email }) => email._id)).size).toBe(4);
  for (const { raw, parsed, email } of wires) {
    expect([addresses(parsed.to), addresses(parsed.cc), parsed.headers.has('bcc'), raw.includes(dan)]).toEqual([
      [ada],
      [bob, eve],
      false,
      false,
    ]);
    expect([parsed.subject, parsed.messageId]).toEqual(['For Ada', wires[0]?.parsed.messageId]);
    expect(parsed.html).toContain('Dear Ada');
    expect(email.charge).toMatchObject({ credits: 1 });
  }
  expect(wires.filter(({ email, raw }) => raw.includes(email._id))).toEqual([]);
  const links = wires.map(({ parsed }) => /\/t\/c\/[^"]+/.exec(String(parsed.html))?.[0]);
  expect(new Set(links).size).toBe(4);
  const types = await Promise.all(
    all(answer).map(async ({ id }) => (await app.api().get(`/v1/emails/${id}`).expect(200)).body.data.recipientType),
  );
  expect(types).toEqual(['to', 'cc', 'cc', 'bcc']);
  await app.api().get(`/v1/contacts/${bob}`).expect(404);
  await app.api().get(`/v1/contacts/${dan}`).expect(404);
});

test('each is judged and counted by itself, once for an address', async () => {
  const [ada, bob, eve] = [fresh(), fresh(), fresh()];
  await post('/v1/suppressions', { email: bob }).expect(201);
  const used = async () => (await app.api().get('/v1/billing').expect(200)).body.data.used as number;
  const before = await used();
  const answer = await send({ to: [ada], cc: [bob, eve], bcc: [ada, eve] });
  expect(answer.cc).toEqual([
    { to: bob, skipped: 'suppressed' },
    { id: answer.bcc?.[1]?.id, to: eve, status: 'queued' },
  ]);
  expect(answer.bcc?.[0]?.id).toBe(answer.results[0]?.id);
  expect((await used()) - before).toBe(2);
  expect(addresses((await onTheWireOf(app, answer.results[0]?.id ?? '')).parsed.cc)).toEqual([bob, eve]);
});

test('an opt-out from a copy is that of who got it', async () => {
  const [ada, bob] = [fresh(), fresh()];
  const news = { to: ada, cc: bob, type: 'marketing' };
  const wires = await Promise.all(all(await send(news)).map(({ id }) => onTheWireOf(app, id)));
  const links = wires.map(({ raw }) => /^List-Unsubscribe: <https?:\/\/[^/]+([^>]+)>/m.exec(raw.replace(/\r\n /g, ' '))?.[1] ?? '');
  expect(new Set(links).size).toBe(2);
  await app
    .api()
    .post(links[1] ?? '')
    .type('form')
    .send('List-Unsubscribe=One-Click')
    .expect(200);
  const { results, cc } = await send(news);
  expect([results, cc]).toEqual([[expect.objectContaining({ to: ada, status: 'queued' })], [{ to: bob, skipped: 'unsubscribed' }]]);
});

test('an address has one name in the headers, and one of bcc has none there', async () => {
  const [ada, bob] = [fresh(), fresh()];
  const { results } = await send({ to: [ada, `Ada <${ada}>`], cc: [`Bob <${bob}>`, bob], bcc: [`Secret <${bob}>`, `Secret <${ada}>`] });
  const { raw } = await onTheWireOf(app, results[0]?.id ?? '');
  expect([/^To: .*$/m.exec(raw)?.[0], /^Cc: .*$/m.exec(raw)?.[0]]).toEqual([`To: Ada <${ada}>`, `Cc: Bob <${bob}>`]);
  expect(raw).not.toContain('Secret');
});

test('what many get is stored once', async () => {
  const [ada, bob, eve] = [fresh(), fresh(), fresh()];
  const rows = await Promise.all(all(await send({ to: ada, cc: [bob, eve], html: `<p>Of ${bob}</p>` })).map(({ id }) => rowOf(id)));
  expect(rows.map(({ inline }) => inline ?? null)).toEqual([null, null, null]);
  expect(new Set(rows.map(({ contentId }) => contentId)).size).toBe(1);
});

test('a request with its key again has the outcomes of copies again, and other copies are another request', async () => {
  const message = { ...MESSAGE, to: fresh(), cc: fresh(), bcc: [fresh()] };
  const again = (body: object) => post('/v1/send', body).set('Idempotency-Key', 'copies-1');
  const { body: first } = await again(message).expect(200);
  const { body: second } = await again(message).expect(200);
  expect(second.data).toEqual({ ...first.data, replay: true });
  await again({ ...message, bcc: [fresh()] }).expect(409);
});

test('each is cancelled and moved by itself', async () => {
  const [first, second, third] = all(
    await send({ to: fresh(), cc: fresh(), bcc: fresh(), sendAt: new Date(Date.now() + 86_400_000).toISOString() }),
  ) as [Result, Result, Result];
  expect([first.status, second.status, third.status]).toEqual(['scheduled', 'scheduled', 'scheduled']);
  await app.api().delete(`/v1/emails/${first.id}`).expect(200);
  const sendAt = new Date(Date.now() + 2 * 86_400_000);
  await app.api().patch(`/v1/emails/${second.id}`).send({ sendAt }).expect(200);
  const rows = await Promise.all([first, second, third].map(({ id }) => rowOf(id)));
  expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'queued', 'queued']);
  expect(rows.map(({ scheduledFor }) => scheduledFor?.getTime() === sendAt.getTime())).toEqual([false, true, false]);
});

test('an event is of the e-mail of one, and says how they got it', async () => {
  await post('/v1/webhooks', { url: 'https://127.0.0.1/hook', events: ['email.queued'] }).expect(201);
  const [ada, bob] = [fresh(), fresh()];
  await send({ to: ada, bcc: bob });
  await handOnAll(app.core);
  const bodies = (await stored.deliveries.all()).map(
    ({ body }) => (JSON.parse(String(body)) as { data: { email: { to: string; recipientType?: string } } }).data.email,
  );
  const received = bodies.filter(({ to }) => [ada, bob].includes(to)).map(({ to, recipientType }) => [to, recipientType]);
  expect(new Map(received as [string, string][])).toEqual(
    new Map([
      [ada, 'to'],
      [bob, 'bcc'],
    ]),
  );
});

test('a limit counts each, in the order of to, cc and bcc, and so does the rate', async () => {
  const { used } = (await app.api().get('/v1/billing').expect(200)).body.data as { used: number };
  const limit = (monthlyLimit: number | null) => app.api().patch('/v1/billing').send({ monthlyLimit }).expect(200);
  await limit(used + 2);
  const [ada, bob, eve] = [fresh(), fresh(), fresh()];
  const answer = await send({ to: ada, cc: bob, bcc: eve });
  await limit(null);
  expect(answer.bcc).toEqual([{ to: eve, skipped: 'limit_reached' }]);
  expect([answer.results, answer.cc].map((list) => list?.[0]?.status)).toEqual(['queued', 'queued']);
  const fifty = Array.from({ length: 50 }, fresh);
  const messages = Array.from({ length: 14 }, () => ({ ...MESSAGE, to: fifty, cc: fifty, bcc: fifty }));
  const { body } = await post('/v1/send/batch', { messages }).expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path: 'messages', code: 'too_big' })]);
});

test('a message with copies is all logged with a test key, and what is not to be kept is not', async () => {
  const [ada, bob] = [fresh(), fresh()];
  const { body } = await app
    .api(app.keys.test)
    .post('/v1/send')
    .send({ ...MESSAGE, to: ada, cc: bob, retainContent: false })
    .expect(200);
  const results = all(body.data as Answer);
  expect(results.map(({ status }) => status)).toEqual(['sent', 'sent']);
  const rows = await Promise.all(results.map(({ id }) => rowOf(id)));
  expect(rows.map(({ content, subject, copied }) => [content, subject, copied?.as])).toEqual([
    ['gone', '', 'to'],
    ['gone', '', 'cc'],
  ]);
});

test('a batch has the outcomes of copies with each message, and others none', async () => {
  const [ada, bob] = [fresh(), fresh()];
  const messages = [
    { ...MESSAGE, to: ada, cc: bob },
    { ...MESSAGE, to: [ada], bcc: [bob] },
    { ...MESSAGE, to: ada },
    { ...MESSAGE, to: [ada] },
  ];
  const { results } = (await post('/v1/send/batch', { messages }).expect(200)).body.data as { results: object[] };
  expect(results.map((entry) => Object.keys(entry).sort())).toEqual([
    ['cc', 'id', 'status', 'to'],
    ['bcc', 'results'],
    ['id', 'status', 'to'],
    ['results'],
  ]);
  expect(Object.keys(await send({ to: ada })).sort()).toEqual(['results', 'testMode']);
  const { body } = await app.api().get(`/v1/emails?to=${ada}&limit=1`).expect(200);
  expect(body.data[0]).not.toHaveProperty('recipientType');
});

test('a message to several recipients without copies is one message for each', async () => {
  const [ada, bob] = [fresh(), fresh()];
  const { results } = await send({ to: [ada, bob] });
  const wires = await Promise.all(results.map(({ id }) => onTheWireOf(app, id)));
  expect(wires.map(({ parsed }) => addresses(parsed.to))).toEqual([[ada], [bob]]);
  expect(new Set(wires.map(({ parsed }) => parsed.messageId)).size).toBe(2);
});

test.each([
  [{ cc: 'nonsense' }, 'cc', 'invalid_string'],
  [{ bcc: ['ada@example.com', 'x'] }, 'bcc.1', 'invalid_string'],
  [{ cc: [] }, 'cc', 'too_small'],
  [{ bcc: Array.from({ length: 51 }, (_, n) => `a${n}@example.com`) }, 'bcc', 'too_big'],
  [{ cc: 'Ada <ada@example.com>\r\nX: y' }, 'cc', 'invalid_string'],
  [{ headers: { Cc: 'ada@example.com' } }, 'headers.Cc', 'invalid_header'],
])('a message with %j is refused', async (more, path, code) => {
  const { body } = await post('/v1/send', { ...MESSAGE, to: 'ada@example.com', ...more }).expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path, code })]);
});
