import { platformOf } from '../../../../src/processes/admin/platform';
import { parseRequest } from '../../../../src/processes/admin/request';
import { createKey } from '../../../../src/records/projects/key-service';
import { createProject } from '../../../../src/records/projects/service';
import type { ProjectKeys } from '../../../../src/records/projects';
import { SHORT, ago, retentionCalls } from '../../../support/calls/retention';
import { stored } from '../../../support/data/stored';
import { storeEmails } from '../../../support/data/email-rows';
import { aProject } from '../../../support/platform/app';
import type { Api } from '../../../support/platform/app';
import { aSecondApi } from '../../../support/platform/second-api';

const app = aProject({ config: SHORT });
const second = aSecondApi(app, SHORT);
const { sweep } = retentionCalls(() => app);

let tenant: ProjectKeys;
let other: ProjectKeys;

beforeEach(async () => {
  [tenant, other] = [await createProject('Tenant'), await createProject('Neighbour')];
});

interface Listed {
  readonly limit: string;
  readonly value: number;
}

/** As `npm run admin -- limits <args>`, with `--json`. */
async function limits(...args: string[]): Promise<readonly Listed[]> {
  const { result } = await parseRequest(['limits', ...args]).run(platformOf(app.core.config, () => undefined));
  return result as readonly Listed[];
}
const set = (limit: string, value: number) => limits('set', tenant.projectId, limit, String(value));

/** The tenant, at the API of this process and at that of another one. */
const processes = (): readonly Api[] => [app.api(tenant.secret), second.api(tenant.secret)];

describe('the command', () => {
  test('lists what holds; a limit that is set holds for one project until it is reset', async () => {
    const before = await limits('list', tenant.projectId);
    expect(before).toContainEqual({ limit: 'topics', value: 100, isOwn: false, default: 100, setting: 'MAX_TOPICS' });
    expect(before).toContainEqual({ limit: 'retentionDays', value: 100, isOwn: false, default: 100, setting: 'RETENTION_DAYS' });
    expect(await set('topics', 250)).toContainEqual({ limit: 'topics', value: 250, isOwn: true, default: 100, setting: 'MAX_TOPICS' });
    await set('webhooks', 2);
    expect(await limits('list', other.projectId)).toEqual(before);
    expect((await limits('reset', tenant.projectId, 'topics')).filter(({ value }, n) => value !== before[n]?.value)).toEqual([
      { limit: 'webhooks', value: 2, isOwn: true, default: 50, setting: 'MAX_WEBHOOKS' },
    ]);
    expect(await limits('reset', tenant.projectId)).toEqual(before);
  });

  test('is in the audit, with the limit and no value', async () => {
    await set('topics', 5);
    await limits('reset', tenant.projectId, 'topics');
    await limits('reset', tenant.projectId);
    const entries = await stored.audit.all({ projectId: tenant.projectId }, { _id: 1 });
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['limit.set', 'topics'],
      ['limit.reset', 'topics'],
      ['limit.reset', null],
    ]);
  });

  test.each([
    ['topics', '0', 'topics: Too small: expected number to be >=1'],
    ['topics', '1001', 'topics: Too big: expected number to be <=1000'],
    ['retentionDays', '36501', 'retentionDays: Too big: expected number to be <=36500'],
    ['sendBurst', '1.5', 'sendBurst: Invalid input: expected number, received NaN'],
    ['sendBurst', '', 'sendBurst: Invalid input: expected number, received NaN'],
    ['constructor', '5', 'The limit must be one of sendsPerSecond, '],
    ['limits.topics', '5', 'The limit must be one of sendsPerSecond, '],
  ])('%s cannot be "%s"', (limit, value, message) => {
    expect(() => parseRequest(['limits', 'set', 'prj_1', limit, value])).toThrow(message);
  });

  test('knows no project that is not there', async () => {
    for (const args of [['list'], ['reset'], ['reset', 'topics'], ['set', 'topics', '5']]) {
      const [word = '', ...rest] = args;
      await expect(limits(word, 'prj_nobody', ...rest)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('rates', () => {
  /** A test key: its mail needs no domain, and takes the same units. */
  const send = (api: Api, to: string) => api.post('/v1/send').send({ to, subject: 'Hi', text: 'Hi', from: 'us@hello.test' });

  test('of sends are those of the project, in every process from the next request on', async () => {
    const [one, two] = [app.api(tenant.test), second.api(tenant.test)];
    expect((await send(one, 'a@example.com')).headers).toMatchObject({ 'ratelimit-limit': '2000' });
    await set('sendBurst', 3);
    await set('sendsPerSecond', 1);
    const began = performance.now();
    expect((await send(one, 'b@example.com')).headers).toMatchObject({ 'ratelimit-limit': '3' });
    const answers = await Promise.all([one, two, one, two, one, two].map((api, n) => send(api, `c${n}@example.com`)));
    const passed = answers.filter(({ status }) => status !== 429).length;
    expect(passed).toBeLessThanOrEqual(2 + (performance.now() - began) / 1_000);
    expect(answers.map(({ headers }) => headers['ratelimit-limit'])).toEqual(Array.from({ length: 6 }, () => '3'));
    const batch = { messages: Array.from({ length: 4 }, (_, n) => ({ to: `d${n}@example.com`, subject: 'Hi', text: 'Hi' })) };
    const { body } = await one.post('/v1/send/batch').send(batch).expect(422);
    expect(body.details).toEqual([expect.objectContaining({ code: 'too_big', message: expect.stringContaining('at most 3 messages') })]);
    expect((await send(app.api(other.test), 'e@example.com')).headers).toMatchObject({ 'ratelimit-limit': '2000' });
  });

  test('of requests are those of the project, for each of its keys', async () => {
    for (const api of processes()) await api.get('/v1/topics').expect(200);
    await set('requestBurst', 4);
    await set('requestsPerSecond', 1);
    for (const api of processes()) {
      const { headers } = await api.get('/v1/topics');
      expect(headers).toMatchObject({ 'ratelimit-limit': '4' });
    }
    const { key } = await createKey(tenant.projectId, 'secret', 50);
    const began = performance.now();
    const apis = [app.api(key), second.api(key)];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => (apis[n % 2] as Api).get('/v1/topics')));
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(1);
    expect(passed).toBeLessThanOrEqual(4 + (performance.now() - began) / 1_000);
    await limits('reset', tenant.projectId);
    expect((await app.api(tenant.secret).get('/v1/topics').expect(200)).headers).toMatchObject({ 'ratelimit-limit': '100000' });
  });

  test('of events with a public key are those of the project', async () => {
    await set('publicEventsPerMinute', 2);
    const post = () => app.api(tenant.public).post('/v1/events').send({ name: 'page.viewed', email: 'a@example.com' });
    expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([201, 201, 429]);
  });
});

describe('what a project may have', () => {
  test.each([
    ['keys', '/v1/keys', () => ({ kind: 'public' })],
    ['webhooks', '/v1/webhooks', () => ({ url: 'https://example.com/hook', events: ['*'], enabled: false })],
    ['segments', '/v1/segments', () => ({ name: 'S', type: 'static' })],
    ['topics', '/v1/topics', (n: number) => ({ key: `t${n}`, name: 'T', defaultSubscription: 'in' })],
    ['workflows', '/v1/workflows', () => ({ name: 'W', trigger: 'event:x' })],
    ['templates', '/v1/templates', () => ({ name: 'T', subject: 'S', body: 'B', fromEmail: 'a@hello.test' })],
    ['domains', '/v1/domains', (n: number) => ({ domain: `own${n}.example.com` })],
    ['fields', '/v1/contacts', (n: number) => ({ email: `f${n}@example.com`, data: { [`field${n}`]: 1 } })],
  ])('%s: as many as its limit says; others have those of the installation', async (limit, path, body) => {
    // A project is made with a public key.
    const most = limit === 'keys' ? 3 : 2;
    await set(limit, most);
    const [one, two] = processes() as readonly [Api, Api];
    await one.post(path).send(body(1)).expect(201);
    await two.post(path).send(body(2)).expect(201);
    expect((await two.post(path).send(body(3)).expect(409)).body).toMatchObject({ code: 'limit_exceeded' });
    for (const n of [1, 2, 3]) await app.api(other.secret).post(path).send(body(n)).expect(201);
    await set(limit, most + 1);
    await two.post(path).send(body(3)).expect(201);
  });
});

describe('retention', () => {
  const messages = (projectId: string) => {
    const sent = { status: 'sent', attempts: 1 } as const;
    return storeEmails(projectId, { ...sent, createdAt: ago(20) }, { ...sent, createdAt: ago(90) }, { ...sent, createdAt: ago(150) });
  };
  const things = async (projectId: string): Promise<void> => {
    await stored.deliveries.make(
      [3, 20].map((days) => ({
        _id: `${projectId}/${days}`,
        projectId,
        webhookId: `whk_${projectId}`,
        eventId: 'evt_1',
        eventName: 'a',
        sequence: 1,
        status: 'succeeded' as const,
        createdAt: ago(days),
      })),
    );
    await stored.contactNotes.make(
      [3, 20, 90, 150].map((days) => ({
        _id: `${projectId}/${days}`,
        projectId,
        contactId: 'ctc_1',
        name: 'workflow.refused' as const,
        data: { reason: 'x' },
        createdAt: ago(days),
      })),
    );
  };
  const left = async (projectId: string) => ({
    emails: await stored.emails.count({ projectId }),
    contents: await stored.emails.count({ projectId, content: { $ne: 'gone' } }),
    deliveries: await stored.deliveries.count({ projectId }),
    notes: await stored.contactNotes.count({ projectId }),
  });

  test('is that of each project: one keeps for longer, another for less, the rest as the installation says', async () => {
    const less = await createProject('Less');
    for (const { projectId } of [tenant, other, less]) {
      await messages(projectId);
      await things(projectId);
    }
    await set('retentionDays', 200);
    await set('contentRetentionDays', 120);
    await limits('set', less.projectId, 'retentionDays', '10');
    await sweep();
    expect(await left(tenant.projectId)).toEqual({ emails: 3, contents: 2, deliveries: 2, notes: 4 });
    expect(await left(other.projectId)).toEqual({ emails: 2, contents: 0, deliveries: 2, notes: 3 });
    expect(await left(less.projectId)).toEqual({ emails: 0, contents: 0, deliveries: 1, notes: 1 });
    await limits('reset', tenant.projectId);
    await sweep();
    expect(await left(tenant.projectId)).toEqual({ emails: 2, contents: 0, deliveries: 2, notes: 3 });
  });
});
