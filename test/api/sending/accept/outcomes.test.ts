import mongoose from 'mongoose';
import { disableProject, enableProject, setReputation } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { aFreshProject } from '../../../support/data/projects';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_PROJECT_DOMAINS: 'dev.test' } });
const keys = aFreshProject('Outcomes');

afterEach(() => jest.restoreAllMocks());

const api = (key = keys.secret) => app.api(key);
const message = (to: unknown, more: object = {}) => ({ to, subject: 'Hello', text: 'Hello', ...more });
const send = (to: unknown, more: object = {}, key = keys.secret) => api(key).post('/v1/send').send(message(to, more));
const outcomeOf = async (to: unknown, more: object = {}, key = keys.secret): Promise<string> => {
  const [{ status, skipped }] = (await send(to, more, key).expect(200)).body.data.results;
  return (skipped ?? status) as string;
};
const used = async (): Promise<number> => (await api().get('/v1/billing').expect(200)).body.data.used as number;

test('a message of a batch that fails keeps none of the others back', async () => {
  const [first, last] = [freshAddress(), freshAddress()];
  const messages = [
    message(first),
    message(freshAddress(), { from: 'team@unverified.example' }),
    { to: freshAddress(), templateId: 'tpl_unknown' },
    message([last]),
  ];
  const { body } = await api().post('/v1/send/batch').send({ messages }).expect(200);
  const failed = (code: string) => ({ error: { code: 'send_failed', details: [{ path: '', code }] } });
  expect(body.data.results).toMatchObject([
    { to: first, status: 'queued' },
    failed('unverified_domain'),
    failed('template_not_found'),
    { results: [{ to: last, status: 'queued' }] },
  ]);
  expect(await stored.emails.count({ projectId: keys.projectId })).toBe(2);
});

test('a message that cannot be rendered for one of its recipients is accepted for none of them', async () => {
  const [plain, heavy] = [freshAddress(), freshAddress()];
  await api()
    .post('/v1/contacts')
    .send({ email: heavy, data: { list: Array.from({ length: 101 }, (_, n) => n) } })
    .expect(201);
  const text = '{{#each data.list}}{{#each ../data.list}}{{/each}}{{/each}}.';
  const { body } = await send([plain, heavy], { text }).expect(422);
  expect(body).toMatchObject({ code: 'send_failed', details: [{ path: '', code: 'template_render_failed' }] });
  expect([await stored.emails.count({ projectId: keys.projectId }), await used()]).toEqual([0, 0]);
  await api().get(`/v1/contacts/${plain}`).expect(404);
  expect(await outcomeOf(plain, { text })).toBe('queued');
});

test('the first of several reasons is why a recipient is skipped; limits and reputation do not hold for a test key', async () => {
  const to = freshAddress();
  const [ok, paused] = (['ok', 'paused'] as const).map((state) => ({ state, reason: null, resetAt: null }));
  await api().post('/v1/contacts').send({ email: to, subscribed: false }).expect(201);
  await api().post('/v1/suppressions').send({ email: to }).expect(201);
  await api().patch('/v1/billing').send({ monthlyLimit: 0 }).expect(200);
  await setReputation(keys.projectId, paused!, ok!);
  await disableProject(keys.projectId);
  const both = async () => [await outcomeOf(to, { type: 'marketing' }), await outcomeOf(to, { type: 'marketing' }, keys.test)];
  expect(await both()).toEqual(['disabled', 'disabled']);
  await api().get('/v1/contacts').expect(200);
  await enableProject(keys.projectId);
  expect(await both()).toEqual(['suppressed', 'suppressed']);
  await api().delete(`/v1/suppressions/${to}`).expect(200);
  expect(await both()).toEqual(['unsubscribed', 'unsubscribed']);
  await api().post('/v1/contacts').send({ email: to, subscribed: true }).expect(200);
  expect(await both()).toEqual(['reputation_paused', 'sent']);
  await setReputation(keys.projectId, ok!, paused!);
  expect(await both()).toEqual(['limit_reached', 'sent']);
  await api().patch('/v1/billing').send({ monthlyLimit: null }).expect(200);
  expect(await both()).toEqual(['queued', 'sent']);
});

test('a project whose reputation is throttled regains a tenth of its rate', async () => {
  const [ok, throttled] = (['ok', 'throttled'] as const).map((state) => ({ state, reason: null, resetAt: null }));
  await setReputation(keys.projectId, throttled!, ok!);
  await stored.rateBuckets.make({ _id: keys.projectId, units: 0, drawn: 0, at: new Date(Date.now() - 5_000) });
  const { headers } = await send(freshAddress()).expect(200);
  expect(Number(headers['ratelimit-remaining'])).toBeGreaterThanOrEqual(49);
  expect(Number(headers['ratelimit-remaining'])).toBeLessThan(300);
});

test('an unknown recipient becomes a contact who is subscribed, unless the message says otherwise', async () => {
  const [known, none] = [freshAddress(), freshAddress()];
  await send({ email: known, name: 'Ada King Lovelace' }).expect(200);
  await send(none, { createContact: false }).expect(200);
  const { body } = await api().get(`/v1/contacts/${known}`).expect(200);
  expect(body.data).toMatchObject({ firstName: 'Ada', lastName: 'King Lovelace', subscribed: true });
  await api().get(`/v1/contacts/${none}`).expect(404);
});

test('a request whose first one with its key still runs after ten seconds is 409, and the first one’s answer is there later', async () => {
  const { prototype } = mongoose.mongo.ClientSession;
  const commit = prototype.commitTransaction;
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  const committing = jest.spyOn(prototype, 'commitTransaction').mockImplementationOnce(async function (this: mongoose.mongo.ClientSession) {
    await held;
    await commit.call(this);
  });
  const to = freshAddress();
  const repeated = () => send(to).set('Idempotency-Key', 'slow');
  const first = repeated().then(({ body }) => body.data as object);
  await eventually('the first one is about to be stored', () => committing.mock.calls.length > 0);
  const { body, headers } = await repeated().expect(409);
  expect([body.code, headers['retry-after']]).toEqual(['idempotency_in_progress', '1']);
  go();
  expect((await repeated().expect(200)).body.data).toEqual({ ...(await first), replay: true });
  expect(await stored.emails.count({ to })).toBe(1);
});
