import fc from 'fast-check';
import type { JudgedContact } from '../../../src/rules/conditions/evaluate';

export const NOW = new Date('2026-06-15T12:00:00.000Z');
export const PROJECT = 'proj_conditions';
export const OTHER_PROJECT = 'proj_other';
const DAY_MS = 86_400_000;

/** Letters with unusual counterparts, signs of patterns and operators, line ends, and texts that other types look like. */
const TEXTS = [
  'Ada',
  'ada',
  'ADA',
  'adam',
  'Straße',
  'STRAẞE',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ıstanbul',
  'Istanbul',
  '\u212aelvin',
  'kelvin',
  'KELVIN',
  'ſam',
  'sam',
  'SAM',
  'ΣΟΦΟΣ',
  'σοφος',
  'σοφος',
  'Ωmega',
  '\u2126mega',
  'ნანა',
  'ᲜᲐᲜᲐ',
  'вода',
  'ᲀода',
  'ǅ',
  'ǆ',
  'Ꭰ',
  'ꭰ',
  'ﬅ',
  'ﬆ',
  'é',
  'É',
  '👩‍💻',
  '𐐀',
  '𐐨',
  '',
  ' ',
  'a.c',
  'abc',
  'a\nb',
  'a\nb\n',
  'a\r\n',
  '^a.*$',
  '(?i)x',
  '[a-z]',
  '\\d',
  '$where',
  '$ne',
  '.*',
  '|',
  '/',
  '1',
  '5',
  'true',
  'null',
  '{}',
  'seg_1',
  '__proto__',
  'a\0b',
  '\0',
  '%41',
  '🇩🇪',
  'x'.repeat(300),
];
/** In several offsets and precisions. */
export const DATES = [
  '2026-06-15',
  '2026-06-15T00:00:00Z',
  '2026-06-15T23:59:59.999Z',
  '2026-06-16T01:59:59+02:00',
  '2026-06-14T22:00:00-0200',
  '2026-06-16',
  '2026-06-15T12:00:00.000Z',
  '2026-06-15T14:00+02:00',
  '2026-06-08T12:00:00.000Z',
  '2026-06-08T11:59:59.999999Z',
  '2026-06-14T12:00:00Z',
  '1960-01-01T10:00:00.1239Z',
  '1960-01-01T10:00:00.123Z',
  '0001-01-01',
  '9999-12-31T23:59:59-23:59',
  '2024-02-29',
  '2027-01-01',
];
/** Texts that only look like dates. */
const NO_DATES = [
  '2026-02-29',
  '2026-04-31',
  '2026-06-15T12:00:00',
  '2026-06-15 12:00:00Z',
  '2026-06-15t12:00:00z',
  '2026-06-15T24:00:00Z',
  '2026-06-15\n',
  'June 15, 2026',
  '20260615',
  '2026-6-15',
  '2026-06-15T12:00:60Z',
  '2026-06-15T12:00:00.Z',
];
const NUMBERS = [0, 1, 5, -3, 1.5, 1e21, 9007199254740992, 2147483648, -0.1];

export const text = fc.constantFrom(...TEXTS);
export const date = fc.constantFrom(...DATES, ...NO_DATES);
export const number = fc.constantFrom(...NUMBERS);
export const scalar = fc.oneof(text, date, number, fc.boolean());
const leaf = fc.oneof({ weight: 5, arbitrary: scalar }, { weight: 1, arbitrary: fc.constant(null) });
const inner = fc.dictionary(fc.constantFrom('b', 'c'), fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), { maxKeys: 2 });
const node = fc.oneof(
  { weight: 4, arbitrary: leaf },
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof(leaf, inner, fc.array(leaf, { maxLength: 2 }), fc.array(inner, { maxLength: 1 })), { maxLength: 3 }),
  },
  {
    weight: 3,
    arbitrary: fc.dictionary(fc.constantFrom('b', 'c'), fc.oneof(leaf, inner, fc.array(inner, { maxLength: 3 })), { maxKeys: 2 }),
  },
);

const offset = fc.constantFrom(
  -31 * DAY_MS,
  -8 * DAY_MS,
  -7 * DAY_MS - 1,
  -7 * DAY_MS,
  -7 * DAY_MS + 1,
  -DAY_MS,
  -3_600_000,
  -1,
  0,
  1,
  60_000,
);
const instant = fc.oneof(
  offset.map((ms) => new Date(NOW.getTime() + ms)),
  fc
    .constantFrom('2026-06-15T00:00:00Z', '2026-06-14T23:59:59.999Z', '2026-06-15T23:59:59.999Z', '2026-06-16T00:00:00Z')
    .map((iso) => new Date(iso)),
);

const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number, seed: number): T[] => fc.sample(arbitrary, { numRuns: count, seed });

export interface SampleContact extends JudgedContact {
  readonly _id: string;
  readonly projectId: string;
}

/** Contacts with every type of JSON in their data. */
export const sampleContacts = (count: number, projectId = PROJECT): SampleContact[] =>
  sample(
    fc.record({
      firstName: fc.option(text),
      lastName: fc.option(text),
      locale: fc.option(fc.constantFrom('de', 'de-AT', 'en-GB', 'DE')),
      timezone: fc.option(fc.constantFrom('Europe/Vienna', 'America/New_York')),
      subscribed: fc.boolean(),
      data: fc.option(fc.dictionary(fc.constantFrom('a', 'd', 'tags', 'plan'), node, { maxKeys: 4 }), { freq: 15 }),
      createdAt: instant,
      updatedAt: instant,
    }),
    count,
    7,
  ).map((drawn, index) => ({
    ...drawn,
    _id: `ctc_${index}`,
    projectId,
    email: `${['ada', 'sam', 'kim', 'a.c'][index % 4]}${index}@${index % 3 ? 'example.com' : 'xn--strae-oqa.de'}`,
  }));

const CONTACTS_IN_ACTIVITY = 150;
export const EVENTS = ['signup', 'email.opened', 'shop/order:paid.v2', 'email.delivered'];
const contactId = fc.nat(CONTACTS_IN_ACTIVITY - 1).map((index) => `ctc_${index}`);
const projectId = fc.oneof({ weight: 9, arbitrary: fc.constant(PROJECT) }, { weight: 1, arbitrary: fc.constant(OTHER_PROJECT) });
const rarely = fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

export const sampleEvents = (count: number) =>
  sample(
    fc.record({
      projectId,
      contactId,
      name: fc.constantFrom(...EVENTS),
      data: fc.constantFrom(null, {}, { machine: true }, { machine: false }, { plan: 'pro' }),
      testMode: rarely,
      createdAt: instant,
    }),
    count,
    11,
  ).map((event, index) => ({ _id: `evt_${index}`, emailId: null, ...event, receivedAt: event.createdAt }));

type SampleEvent = ReturnType<typeof sampleEvents>[number];

const mayBeGrouped = ({ name, data, testMode }: SampleEvent): boolean =>
  name === 'email.delivered' && !testMode && !(data && 'machine' in data && data.machine);

/** Returns the stores of sample events: some of the groupable ones are held by rows of messages. */
export function storedApart(events: readonly SampleEvent[]): {
  readonly alone: readonly SampleEvent[];
  readonly rows: readonly { readonly _id: string }[];
} {
  const held = events.filter(mayBeGrouped).filter((_event, index) => index % 3 > 0);
  const rowOf = ({ _id, projectId: project, contactId: whose, createdAt }: SampleEvent) => ({
    ...ROW,
    _id: `em_of_${_id}`,
    projectId: project,
    contactId: whose,
    holds: 'delivered',
    sentAt: createdAt,
    createdAt,
  });
  return { alone: events.filter((event) => !held.includes(event)), rows: held.map(rowOf) };
}

/** Members of each message that no condition reads. */
const ROW = {
  shard: 0,
  status: 'sent',
  source: 'transactional',
  type: 'transactional',
  fromEmail: 'a@example.com',
  messageId: '<1@example.com>',
};

const perhaps = fc.option(instant, { freq: 2 });
export const CAMPAIGNS = ['cmp_1', 'cmp_2'];

export const sampleEmails = (count: number) =>
  sample(
    fc.record({
      projectId,
      contactId,
      campaignId: fc.option(fc.constantFrom(...CAMPAIGNS)),
      testMode: rarely,
      sentAt: perhaps,
      deliveredAt: perhaps,
      openedAt: perhaps,
      clickedAt: perhaps,
      bouncedAt: perhaps,
      complainedAt: perhaps,
    }),
    count,
    13,
  ).map((email, index) => ({ ...ROW, createdAt: NOW, _id: `em_${index}`, ...email }));

export const SEGMENTS = ['seg_1', 'seg_2', 'seg_3'];

export const sampleMembers = (count: number) => {
  const drawn = sample(fc.record({ projectId, segmentId: fc.constantFrom(...SEGMENTS), contactId }), count, 17);
  const rows = drawn.map((member) => ({
    _id: `${member.segmentId}:${member.contactId}`,
    ...member,
    enteredAt: NOW,
    contactCreatedAt: NOW,
  }));
  return [...new Map(rows.map((row) => [row._id, row])).values()];
};
