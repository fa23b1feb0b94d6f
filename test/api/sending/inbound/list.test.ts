import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { storeEmails } from '../../../support/data/email-rows';
import { queryPlans } from '../../../support/checks/query-plans';
import { inboundCalls } from './calls';
import { stored } from '../../../support/data/stored';

const app = aProject();

const { api, receive, listed, freshSender } = inboundCalls(() => app);
const idsOf = async (query: object): Promise<string[]> => (await listed(query)).data.map(({ emailId }) => emailId);

test('the list of inbound mail is walked newest first, each row once, while rows come', async () => {
  const at = Date.now();
  const to = 'walk@inbox.test';
  const inbound = { source: 'inbound', status: 'received', to } as const;
  const times = Array.from({ length: 11 }, (_, index) => new Date(at + Math.floor(index / 4)));
  const rows = await storeEmails(app.keys.projectId, ...times.map((createdAt) => ({ ...inbound, createdAt })));
  const wanted = [...rows].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? 1 : -1)).map(({ _id }) => _id);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listed>> = await listed({ to, limit: 3, ...(cursor && { cursor }) });
    seen.push(...page.data.map(({ emailId }) => emailId));
    cursor = page.nextCursor;
    await receive({ from: freshSender(), to });
  } while (cursor);
  expect(seen).toEqual(wanted);
});

test('the list of inbound mail holds what came in, and nothing that was sent', async () => {
  const emailId = await receive({ from: freshSender(), to: 'both@inbox.test' });
  await storeEmails(app.keys.projectId, { to: 'both@inbox.test' }, { to: 'both@inbox.test', fromEmail: 'both@inbox.test' });
  expect(await idsOf({ to: 'both@inbox.test' })).toEqual([emailId]);
  expect(await idsOf({ fromEmail: 'both@inbox.test' })).toEqual([]);
  expect(await idsOf({ limit: 100 })).toContain(emailId);
});

test('the list of inbound mail filters by the address as stored, with the case of its local part, and by sender', async () => {
  const [from, other] = [freshSender(), freshSender()];
  const token = await receive({ from, to: 'Reply+AbCd@inbox.test' });
  const lower = await receive({ from: other, to: 'reply+abcd@inbox.test' });
  expect(await idsOf({ to: 'Reply+AbCd@INBOX.test' })).toEqual([token]);
  expect(await idsOf({ to: 'reply+abcd@inbox.test' })).toEqual([lower]);
  expect(await idsOf({ to: 'REPLY+ABCD@inbox.test' })).toEqual([]);
  expect(await idsOf({ fromEmail: from.toUpperCase() })).toEqual([token]);
  expect(await idsOf({ fromEmail: from, to: 'Reply+AbCd@inbox.test' })).toEqual([token]);
  expect(await idsOf({ fromEmail: other, to: 'Reply+AbCd@inbox.test' })).toEqual([]);
});

test('the list of inbound mail shows another project nothing', async () => {
  const from = freshSender();
  const emailId = await receive({ from, to: 'mine@inbox.test' });
  for (const query of [{}, { fromEmail: from }, { to: 'mine@inbox.test' }]) {
    for (const key of [app.otherKeys.secret, app.otherKeys.test]) expect((await listed(query, key)).data).toEqual([]);
  }
  await api(app.otherKeys.secret).get(`/v1/emails/${emailId}`).expect(404);
});

test.each([
  [{ to: 'nobody' }, 'to', 'invalid_string'],
  [{ fromEmail: 'nobody' }, 'fromEmail', 'invalid_string'],
  [{ limit: 101 }, 'limit', 'too_big'],
  [{ cursor: 'x' }, 'cursor', 'invalid_cursor'],
])('the list of inbound mail refuses %j', async (query, path, code) => {
  const { body } = await api().get('/v1/inbound').query(query).expect(422);
  expect(body).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
});

test('the list of inbound mail takes back its own cursors only', async () => {
  for (let n = 0; n < 2; n++) await receive({ from: freshSender(), to: 'cursor@inbox.test' });
  const { nextCursor: cursor } = await listed({ limit: 1 });
  await listed({ limit: 1, cursor });
  for (const query of [{ cursor, to: 'cursor@inbox.test' }, { cursor: `${cursor}x` }]) {
    await api().get('/v1/inbound').query(query).expect(422);
  }
  await api().get('/v1/emails').query({ cursor }).expect(422);
  await api(app.otherKeys.secret).get('/v1/inbound').query({ cursor }).expect(422);
});

test('the list of inbound mail is read along an index for every filter, unsorted, among any amount of sent mail', async () => {
  const sent = Array.from({ length: 300 }, () => ({ _id: newId('em'), to: 'desk@inbox.test', fromEmail: 'ada@example.com' }));
  await storeEmails(app.keys.projectId, ...sent);
  for (let n = 0; n < 3; n++) await receive({ from: 'ada@example.com', to: 'desk@inbox.test' });
  const plans = {
    'createdAt: -1': {},
    'to: 1': { to: 'desk@inbox.test' },
    'fromEmail: 1': { fromEmail: 'ada@example.com' },
  };
  for (const [key, query] of Object.entries(plans)) {
    const { nextCursor: cursor } = await listed({ ...query, limit: 1 });
    const found = await queryPlans('emails', () => listed({ ...query, limit: 1, cursor }));
    expect(found).toEqual([{ plan: expect.stringContaining(`IXSCAN { projectId: 1, source: 1, ${key}`), sorted: false }]);
  }
  const both = await queryPlans('emails', () => listed({ to: 'desk@inbox.test', fromEmail: 'ada@example.com' }));
  expect(both).toEqual([{ plan: expect.stringContaining('IXSCAN { projectId: 1, source: 1, '), sorted: false }]);
  await stored.emails.remove({ _id: { $in: sent.map(({ _id }) => _id) } });
});
