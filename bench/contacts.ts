import { breakDownAudienceOf, countAudienceOf, countTopics } from '../src/marketing/campaigns';
import type { Context } from '../src/platform/core';
import { listFieldValues, listFields, recountFields, removeField, upsertContact } from '../src/audience/contacts';
import { estimateValues } from '../src/audience/contacts/field-values';
import { listContacts } from '../src/audience/lists';
import { ContactModel } from '../src/audience/contacts/model';
import { newId } from '../src/platform/core';
import { getProject } from '../src/records/projects';
import { previewSegment } from '../src/audience/segments';
import { createTopic } from '../src/audience/topics';
import type { Topic } from '../src/audience/topics';
import { contextOf, quietCore } from './support/mail';
import { Ground } from './support/processes';
import { printTable } from './support/table';

const CONTACTS = 1_000_000;
const UPSERTS = 5_000;
const WRITERS = 50;
const READS = 500;
const READERS = 4;
const EVERYBODY = { audience: 'all', segmentId: null, filter: null } as const;
const FILTERED = { audience: 'filter', segmentId: null } as const;
const INSERT_PAGE = 5_000;
const PLANS = ['free', 'pro', 'team'];

type Row = readonly [string, string];
type Topics = readonly [byDefault: Topic, byChoice: Topic];
type Conditions = Parameters<typeof previewSegment>[1];

const seconds = (from: number): number => (performance.now() - from) / 1_000;

async function timed(name: string, work: () => Promise<unknown>): Promise<Row> {
  const began = performance.now();
  const failure = await work().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const took = `${(seconds(began) * 1_000).toFixed(0)} ms`;
  return [name, failure === null ? took : `refused after ${took}: ${failure}`];
}

/** Runs `total` works, `atOnce` at a time. Resolves to a row with the rate and the times of one. */
async function rate(name: string, total: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<Row> {
  let next = 0;
  const times: number[] = [];
  const began = performance.now();
  const worker = async (): Promise<void> => {
    for (let n = next++; n < total; n = next++) {
      const from = performance.now();
      await work(n);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const perSecond = total / seconds(began);
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  return [`${name}, ${atOnce} at once`, `${Math.round(perSecond)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`];
}

const dataOf = (n: number) => ({ plan: PLANS[n % 3], seats: n % 100, since: '2026-01-01', vip: n % 7 === 0 });

// A fifth left the first topic, which contacts are in by default; three of ten chose the second.
const choicesOf = (n: number, at: Date, [news, offers]: Topics) => ({
  ...(n % 5 === 0 && { topicsOut: [{ topicId: news._id, since: at, source: 'api' as const }] }),
  ...(n % 10 < 3 && { topicsIn: [{ topicId: offers._id, since: at, source: 'api' as const }] }),
});

async function fill(projectId: string, total: number, topics: Topics): Promise<void> {
  for (let start = 0; start < total; start += INSERT_PAGE) {
    const rows = Array.from({ length: Math.min(INSERT_PAGE, total - start) }, (_, index) => {
      const n = start + index;
      const at = new Date(Date.UTC(2026, 0, 1) + n * 10);
      return {
        _id: newId('ctc'),
        projectId,
        email: `filled-${n}@example.com`,
        firstName: `First${n}`,
        lastName: 'Last',
        subscribed: n % 10 !== 0,
        data: dataOf(n),
        locale: null,
        createdAt: at,
        updatedAt: at,
        optedOutAt: null,
        ...choicesOf(n, at, topics),
      };
    });
    await ContactModel.collection.insertMany(rows, { ordered: false });
  }
}

const FIRST = { limit: 50, after: null };

async function upserts(ctx: Context): Promise<readonly Row[]> {
  const address = (n: number): string => `upserted-${n}@example.com`;
  const upsert = (what: string, data: (n: number) => Record<string, unknown>): Promise<Row> =>
    rate(what, UPSERTS, WRITERS, (n) => upsertContact(ctx, { email: address(n), data: data(n) }));
  return [
    await upsert('upserts of new contacts', dataOf),
    await upsert('the same, one field changes', (n) => ({ seats: n })),
    await upsert('the same, nothing changes', (n) => ({ seats: n })),
  ];
}

async function reads(ctx: Context): Promise<readonly Row[]> {
  const { next } = await listContacts(ctx, {}, FIRST);
  return [
    await rate('first page of the list', READS, READERS, () => listContacts(ctx, {}, FIRST)),
    await rate('second page', READS, READERS, () => listContacts(ctx, {}, { limit: 50, after: next })),
    await rate('search, many match', READS, READERS, () => listContacts(ctx, { search: 'last' }, FIRST)),
    await timed('search, none matches', () => listContacts(ctx, { search: 'no-such-name' }, FIRST)),
  ];
}

const asking = (...filters: readonly object[]): Conditions => ({ logic: 'and', groups: [{ filters }] });

async function previews(ctx: Context): Promise<readonly Row[]> {
  const preview = (what: string, conditions: Conditions): Promise<Row> => timed(`preview: ${what}`, () => previewSegment(ctx, conditions));
  return [
    await preview('subscribed (an index serves)', asking({ field: 'subscribed', operator: 'equals', value: true })),
    await preview('not subscribed (an index serves)', asking({ field: 'subscribed', operator: 'equals', value: false })),
    await preview(
      'created in a window (an index serves)',
      asking({ field: 'createdAt', operator: 'lessThan', value: '2026-01-01T00:30:00Z' }),
    ),
    await preview('a custom field', asking({ field: 'data.plan', operator: 'equals', value: 'pro' })),
    await preview('an event that none had', asking({ field: 'event.order.placed', operator: 'triggered' })),
    await timed('audience count: all subscribed', async () =>
      countAudienceOf({ ...ctx, project: await getProject(ctx.projectId) }, EVERYBODY),
    ),
  ];
}

async function topicCounts(ctx: Context, topics: Topics): Promise<readonly Row[]> {
  const asker = { ...ctx, project: await getProject(ctx.projectId) };
  const rows: Row[] = [];
  for (const { _id: topicId, key, defaultSubscription } of topics) {
    const isIn = { field: `topic.${key}`, operator: 'equals', value: true };
    const isSubscribed = { field: 'subscribed', operator: 'equals', value: true };
    const among = `topic, ${defaultSubscription} by default`;
    rows.push(
      await timed(`preview: ${among}`, () => previewSegment(ctx, asking(isIn))),
      await timed(`preview: ${among}, and subscribed`, () => previewSegment(ctx, asking(isIn, isSubscribed))),
      await timed(`audience count: ${among}`, () => countAudienceOf(asker, { ...EVERYBODY, topicId })),
      await timed(`audience count by filter: ${among}`, () => countAudienceOf(asker, { ...FILTERED, filter: asking(isIn) })),
      await timed(`audience breakdown: ${among}`, () => breakDownAudienceOf(asker, { ...EVERYBODY, topicId })),
    );
  }
  return [...rows, await timed('figures of both topics', () => countTopics(ctx.projectId, topics))];
}

async function makeTopics(ctx: Context): Promise<Topics> {
  const of = { visibility: 'public' } as const;
  return [
    await createTopic(ctx, { ...of, key: 'news', name: 'News', defaultSubscription: 'in' }),
    await createTopic(ctx, { ...of, key: 'offers', name: 'Offers', defaultSubscription: 'out' }),
  ];
}

async function fields(ctx: Context, total: number): Promise<readonly Row[]> {
  return [
    await timed(`recount of fields, ${total} contacts`, () => recountFields(ctx.projectId)),
    await timed('fields', () => listFields(ctx)),
    await timed('values of a field', () => listFieldValues(ctx, { field: 'plan', limit: 50 })),
    await timed('values of a field, estimated', () => estimateValues(ctx, { field: 'plan', limit: 50 })),
    await timed('removal of a field that all have', () => removeField(ctx, 'vip')),
  ];
}

async function measure(ctx: Context, total: number): Promise<readonly Row[]> {
  const topics = await makeTopics(ctx);
  await fill(ctx.projectId, total, topics);
  return [
    ...(await upserts(ctx)),
    ...(await reads(ctx)),
    ...(await previews(ctx)),
    ...(await topicCounts(ctx, topics)),
    ...(await fields(ctx, total)),
  ];
}

/** Measures what contacts cost: writing one, and reading and changing a million, or `BENCH_CONTACTS` of them. */
export async function run(): Promise<void> {
  const ground = await Ground.prepare();
  const total = Number(process.env['BENCH_CONTACTS'] ?? CONTACTS);
  const ctx = await contextOf(quietCore(ground.env), ground.keys.projectId);
  printTable(`Contacts, ${total} of them`, ['what', 'took'], await measure(ctx, total));
  await ground.clear();
}
