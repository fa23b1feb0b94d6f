import { recordChange } from '../../../../src/records/audit';
import { aMember } from '../../../support/calls/member-browsers';
import { CONSOLE_ORIGIN } from '../../../support/calls/console-browser';
import { queryPlans } from '../../../support/checks/query-plans';
import { aFreshProject, newProject } from '../../../support/data/projects';
import { stored } from '../../../support/data/stored';
import { rowsOf } from '../../../support/calls/lists';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN, DEV_VERIFIED_DOMAINS: 'hello.test' } });
const keys = aFreshProject('Audit');

interface Entry {
  readonly entryId: string;
  readonly at: string;
  readonly action: string;
}

const get = async (query = ''): Promise<readonly Entry[]> =>
  (await app.api(keys.secret).get(`/v1/audit${query}`).expect(200)).body.data as Entry[];
const actions = async (query: string): Promise<readonly string[]> => (await get(query)).map(({ action }) => action);

async function write(by: string, action: string, subject: string | null = null): Promise<void> {
  const change = { projectId: keys.projectId, by, action, subject };
  await recordChange(change, (error) => {
    throw error;
  });
}

beforeEach(() => stored.audit.remove());

test('the list has a change as the audit has it, of this project only', async () => {
  const hook = { url: 'https://example.com/hook', events: ['*'] };
  const { body } = await app.api(keys.secret).post('/v1/webhooks').send(hook).expect(201);
  await app
    .api((await newProject('Other')).secret)
    .post('/v1/webhooks')
    .send(hook)
    .expect(201);
  expect(await get()).toEqual([
    {
      entryId: expect.stringMatching(/^aud_/),
      at: expect.any(String),
      by: `key ${keys.secret.slice(0, 15)}`,
      action: 'webhook.create',
      subject: body.data.webhookId,
      reason: null,
    },
  ]);
});

test('the author, the action and the time narrow the list, along an index, and pages go on where they ended', async () => {
  await write('operator root', 'sending.pause');
  await write('key sk_0', 'webhook.create', 'whk_1');
  await write('key sk_0', 'webhook.update', 'whk_1');
  await write('person psn_1', 'webhook.update', 'whk_1');
  const all = ['webhook.update', 'webhook.update', 'webhook.create', 'sending.pause'];
  const plans = await queryPlans('audit', async () => {
    expect(await actions('?by=key%20sk_0')).toEqual(['webhook.update', 'webhook.create']);
    expect(await actions('?action=webhook.update')).toHaveLength(2);
    expect(await actions('?by=key%20sk_0&action=webhook.update')).toHaveLength(1);
    expect(await actions('?by=nobody')).toEqual([]);
    expect(await actions('?action=recovery-codes.create')).toEqual([]);
  });
  for (const { plan, sorted } of plans) expect({ plan, sorted }).toEqual({ plan: expect.stringContaining('IXSCAN'), sorted: false });
  const paged = await rowsOf<Entry>(app.api(keys.secret), '/v1/audit', { limit: 1 });
  expect(paged.map(({ action }) => action)).toEqual(all);
  const at = Date.parse(paged[0]?.at ?? '');
  const span = (from: number, until: number) => `?from=${new Date(from).toISOString()}&until=${new Date(until).toISOString()}`;
  expect(await actions(span(at - 60_000, at + 1))).toEqual(all);
  expect(await actions(span(at + 1, at + 60_000))).toEqual([]);
  expect(await actions(span(at - 60_000, at - 50_000))).toEqual([]);
});

test.each([
  ['action=webhook', 'action', 'invalid_string'],
  ['from=yesterday', 'from', 'invalid_string'],
  ['until=2026-11-29', 'until', 'invalid_string'],
  ['by=', 'by', 'too_small'],
])('%s is refused, and said where', async (query, path, code) => {
  const { body } = await app.api(keys.secret).get(`/v1/audit?${query}`).expect(422);
  expect(body.details).toMatchObject([{ path, code }]);
});

test('only owners, admins and keys of the scope full read it', async () => {
  const read = async (role: 'owner' | 'admin' | 'marketer' | 'analyst' | 'approver') => {
    const { browser } = await aMember(app, `${role}@audit.example`, role);
    return (await browser.ask('get', '/v1/audit')).status;
  };
  const roles = [];
  for (const role of ['owner', 'admin', 'marketer', 'analyst', 'approver'] as const) roles.push(await read(role));
  expect(roles).toEqual([200, 200, 403, 403, 403]);
  const scopes = [];
  for (const scope of ['full', 'read', 'sending'] as const) {
    const { body } = await app.api(keys.secret).post('/v1/keys').send({ kind: 'secret', scope }).expect(201);
    scopes.push((await app.api(String(body.data.key)).get('/v1/audit')).status);
  }
  expect(scopes).toEqual([200, 403, 403]);
});
