import mongoose from 'mongoose';
import { compile } from '../../../../src/rules/conditions/compile';
import { campaignMailId, campaignStart } from '../../../../src/rules/campaign-mail-ids';
import { aProject } from '../../../support/platform/app';
import { sampleContacts } from '../../../support/data/condition-samples';
import { parsed } from '../../../support/data/conditions';

const PROJECT = 'proj_much';
const CONTACT = 'ctc_0123456789abc';
const NOW = new Date('2026-06-15T12:00:00Z');
const MANY = 1_500;
const OLDEST = MANY - 1;

aProject();

const collection = (name: string) => mongoose.connection.collection<{ _id: string }>(name);
const minutesAgo = (n: number): Date => new Date(NOW.getTime() - n * 60_000);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const campaigns = numbers(MANY).map((n) => {
  const id = `cmp_${String(n).padStart(6, '0')}`;
  return [id, campaignStart(`em_${String(n).padStart(6, '0')}`, id)] as const;
});
const starts = new Map(campaigns);

const eventOf = (name: string, n: number) => ({ _id: `evt_${name}_${n}`, name, createdAt: minutesAgo(n) });
const ofContact = { projectId: PROJECT, contactId: CONTACT, testMode: false };
const MAIL = { messageId: 'a@b.test', fromEmail: 'shop@hello.test', type: 'transactional', shard: 0 };

/** Mail to the contact alone: message n was sent n minutes ago. The oldest was opened. */
const singleMail = numbers(MANY).map((n) => ({
  ...MAIL,
  _id: `em_single_${n}`,
  ...ofContact,
  status: 'delivered',
  source: 'transactional',
  holds: n === 3 ? 'delivered' : 'sent',
  createdAt: minutesAgo(n),
  sentAt: minutesAgo(n),
  deliveredAt: minutesAgo(n),
  ...(n === OLDEST && { openedAt: minutesAgo(1) }),
}));

/** One message of each campaign, the first campaign's first: its message was complained about. */
const campaignMail = campaigns.map(([campaignId, start], n) => ({
  ...MAIL,
  _id: campaignMailId(start, CONTACT),
  projectId: PROJECT,
  testMode: false,
  campaignId,
  status: 'delivered',
  source: 'campaign',
  recipient: { to: 'a@b.test', contactId: CONTACT },
  createdAt: minutesAgo(MANY - n),
  deliveredAt: minutesAgo(MANY - n),
  ...(n === 0 && { complainedAt: minutesAgo(1) }),
}));

beforeAll(async () => {
  const [blank] = sampleContacts(1);
  await collection('contacts').insertOne({ ...blank!, _id: CONTACT, projectId: PROJECT } as never);
  const did = [...numbers(MANY).map((n) => eventOf('visit', n)), ...[MANY, MANY + 1, MANY + 2].map((n) => eventOf('signup', n))];
  await collection('events').insertMany(did.map((event) => ({ ...ofContact, data: null, receivedAt: NOW, ...event })));
  await collection('emails').insertMany([...singleMail, ...campaignMail] as never);
});

const stagesOf = (filter: object) =>
  compile(parsed({ logic: 'and', groups: [{ filters: [filter] }] }), { projectId: PROJECT, now: NOW, starts }).stages;

const matches = async (filter: object): Promise<boolean> =>
  (await collection('contacts')
    .aggregate([{ $match: { projectId: PROJECT } }, ...stagesOf(filter)])
    .next()) !== null;

interface Lookup {
  readonly totalDocsExamined: unknown;
  readonly totalKeysExamined: unknown;
}

/** Resolves to what the database says about the lookups of a condition. */
async function lookupsOf(filter: object): Promise<readonly Lookup[]> {
  const explained = await collection('contacts')
    .aggregate([{ $match: { projectId: PROJECT } }, ...stagesOf(filter)])
    .explain('executionStats');
  const lookups = (explained['stages'] as (Lookup & Record<string, unknown>)[]).filter((stage) => '$lookup' in stage);
  expect(lookups.length).toBeGreaterThan(0);
  for (const lookup of lookups) {
    expect(lookup['collectionScans']).toEqual(expect.anything());
    expect(Number(lookup['collectionScans'])).toBe(0);
    expect(lookup['indexesUsed']).toHaveLength(1);
  }
  return lookups;
}

/** Resolves to the number of rows that these lookups read. */
const rowsRead = async (filter: object): Promise<number> =>
  (await lookupsOf(filter)).reduce((sum, { totalDocsExamined }) => sum + Number(totalDocsExamined), 0);

const days = { value: 90, unit: 'days' };

describe('rows that are read for a contact that did much', () => {
  test.each([
    ['an event that happened', { field: 'event.signup', operator: 'triggered' }, 1],
    ['an event that never happened', { field: 'event.login', operator: 'notTriggered' }, 0],
    ['an event within a time', { field: 'event.signup', operator: 'triggeredWithin', ...days }, 1],
    ['an event not within a time', { field: 'event.login', operator: 'notTriggeredWithin', ...days }, 0],
    ['an event before a time', { field: 'event.signup', operator: 'triggeredOlderThan', ...days }, 1],
    ['an event n times', { field: 'event.signup', operator: 'countAtLeast', value: 3 }, 3],
    ['an event n times within a time', { field: 'event.visit', operator: 'countLessThan', value: 5, within: 7, unit: 'days' }, 5],
  ])('%s: as many as are counted', async (_what, filter, most) => {
    expect(await rowsRead(filter)).toBeLessThanOrEqual(most);
  });

  test.each([
    ['mail that was opened', { field: 'email.opened', operator: 'triggered' }],
    ['mail opened within a time', { field: 'email.opened', operator: 'triggeredWithin', ...days }],
    ['mail of one campaign', { field: 'email.delivered', operator: 'triggered', campaignId: campaigns[0]![0] }],
    ['deliveries that rows hold', { field: 'event.email.delivered', operator: 'countLessThan', value: 2 }],
    ['mail that was accepted', { field: 'event.email.queued', operator: 'triggered' }],
  ])('%s: none but the messages of the contact', async (_what, filter) => {
    expect(await rowsRead(filter)).toBeLessThanOrEqual(2 * MANY);
  });
});

test.each(['opened', 'clicked', 'bounced', 'complained'])(
  '%s: of the campaigns’ messages only those that it happened to',
  async (status) => {
    const [, ofCampaigns] = await lookupsOf({ field: `email.${status}`, operator: 'countAtLeast', value: 2 });
    expect([ofCampaigns?.totalKeysExamined, ofCampaigns?.totalDocsExamined].map(Number)).toEqual([1, 0]);
  },
);

test.each([
  ['single message', 'email.opened'],
  ['campaign', 'email.complained'],
])('the oldest %s counts, however many are newer', async (_what, field) => {
  expect(await matches({ field, operator: 'triggered' })).toBe(true);
  expect(await matches({ field, operator: 'notTriggered' })).toBe(false);
});

test.each([
  ['event.visit', MANY],
  ['email.delivered', 2 * MANY],
])('%s is counted exactly, however often it happened', async (field, times) => {
  expect(await matches({ field, operator: 'countAtLeast', value: times })).toBe(true);
  expect(await matches({ field, operator: 'countAtLeast', value: times + 1 })).toBe(false);
  expect(await matches({ field, operator: 'countLessThan', value: times })).toBe(false);
  expect(await matches({ field, operator: 'countLessThan', value: Number.MAX_SAFE_INTEGER })).toBe(true);
});
