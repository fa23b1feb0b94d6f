import { shardOf } from '../../../../src/contracts/delivery';
import type { Email } from '../../../../src/records/emails/model';
import { aProject } from '../../../support/platform/app';
import { scheduled, storeEmails } from '../../../support/data/email-rows';
import { lookedAt } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

/** More than one page looks at, newer than all else. */
const MANY = 51_000;
/** Accepted at one instant: more than a page looks at first. */
const AT_ONCE = 3_000;
/** More than the database reads at once in their order. */
const AUTOMATIONS = 450;
const ENTRIES_OF_FEW = 3_000;

const minute = (n: number): Date => new Date(Date.parse('2026-01-01T00:00:00Z') + n * 60_000);

const app = aProject();
let single: Email[];
let automated: Email[];

async function sendCampaign(projectId: string): Promise<void> {
  const { _id: _, ...like } = (await stored.emails.collection.findOne({})) as Email;
  const { to: _to, ...row } = { ...like, status: 'delivered', source: 'campaign', subject: 'News', campaignId: 'cmp_1', projectId };
  for (let at = 0; at < MANY; at += 10_000) {
    const rows = Array.from({ length: Math.min(10_000, MANY - at) }, (_one, n) => {
      const createdAt = minute(1_000 + Math.floor((at + n) / AT_ONCE));
      return { ...row, _id: `em_${at + n}`, recipient: { to: 'reader@example.com', contactId: null }, createdAt };
    });
    await stored.emails.collection.insertMany(rows, { ordered: false });
  }
}

beforeAll(async () => {
  const { projectId } = app.keys;
  const shard = shardOf(projectId);
  single = await storeEmails(
    projectId,
    { status: 'clicked', subject: 'A rare one', createdAt: minute(1) },
    { status: 'sending', createdAt: minute(3), attempt: { id: 'a', worker: 'w', at: minute(3) } },
    { ...scheduled(), shard, createdAt: minute(2) },
  );
  automated = await storeEmails(
    projectId,
    ...Array.from({ length: AUTOMATIONS }, (_, n) => {
      const which = { source: 'workflow', workflowId: `wfl_${n}`, status: 'delivered' } as const;
      return { ...which, createdAt: minute((n * 7) % AUTOMATIONS) };
    }),
  );
  await sendCampaign(projectId);
});

interface Listed {
  readonly data: readonly { readonly emailId: string }[];
  readonly nextCursor: string | null;
}

async function list(query: object): Promise<Listed> {
  const { body } = await app.api().get('/v1/emails').query(query).expect(200);
  return body;
}

const idsOf = ({ data }: Listed): readonly string[] => data.map(({ emailId }) => emailId);
const newestFirst = (rows: readonly Email[]): readonly string[] =>
  [...rows].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).map(({ _id }) => _id);

test.each([
  [{ source: 'transactional' }, () => newestFirst(single)],
  [{ source: 'workflow', limit: 3 }, () => newestFirst(automated).slice(0, 3)],
  [{ source: 'inbound' }, () => []],
  [{ status: 'received' }, () => []],
  [{ status: 'queued' }, () => [single[2]?._id]],
  [{ status: 'sending' }, () => [single[1]?._id]],
  [{ status: 'sending', source: 'campaign' }, () => []],
  [{ status: 'failed' }, () => []],
])('a list of e-mails by %j is found with few looks', async (query, wanted) => {
  let found: Listed = { data: [], nextCursor: null };
  const looks = await lookedAt('emails', async () => {
    found = await list(query);
  });
  expect(idsOf(found)).toEqual(wanted());
  expect(looks).toBeLessThan(ENTRIES_OF_FEW);
});

test('mail of many automations is walked newest first, each once', async () => {
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page: Listed = await list({ source: 'workflow', limit: 100, ...(cursor && { cursor }) });
    seen.push(...idsOf(page));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toEqual(newestFirst(automated));
});

test.each([{ status: 'clicked' }, { subject: 'rare' }])(
  'a page by %j ends after a bounded look, and the next one goes on there',
  async (query) => {
    let first: Listed = { data: [], nextCursor: null };
    const looks = await lookedAt('emails', async () => {
      first = await list(query);
    });
    expect(first).toMatchObject({ data: [], nextCursor: expect.any(String) });
    expect(looks).toBeLessThan(4 * MANY);
    const second = await list({ ...query, cursor: first.nextCursor });
    expect(second).toMatchObject({ data: [{ emailId: single[0]?._id }], nextCursor: null });
  },
);

test('a page that is full ends its look early, and pages show each row once', async () => {
  let first: Listed = { data: [], nextCursor: null };
  const looks = await lookedAt('emails', async () => {
    first = await list({ status: 'delivered', limit: 100 });
  });
  expect(looks).toBeLessThan(ENTRIES_OF_FEW);
  const second = await list({ status: 'delivered', limit: 100, cursor: first.nextCursor });
  const newest = [...Array(MANY).keys()].map((n) => ({ _id: `em_${n}`, block: Math.floor(n / AT_ONCE) }));
  newest.sort((a, b) => b.block - a.block || (a._id < b._id ? 1 : -1));
  expect([...idsOf(first), ...idsOf(second)]).toEqual(newest.slice(0, 200).map(({ _id }) => _id));
});
