import type { ClientSession } from 'mongoose';
import { perDatabase, model, rowSchema } from '../../platform/mongo';
import { Batcher } from '../../platform/batch';
import type { Email, EmailSource } from '../emails';
import { bucketStart } from '../../rules/time-buckets';
import type { NewEvent } from '../events';
import { Schema } from 'mongoose';

/** Counters of live mail, as it happens. */
export const COUNTERS = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'failed', 'unsubscribed', 'received'] as const;
export type Counter = (typeof COUNTERS)[number];

/** The sources that send. Inbound mail is `received`, and nothing else happens to it. */
export const SENDING_SOURCES = ['transactional', 'campaign', 'workflow'] as const satisfies readonly EmailSource[];

/**
 * Figures of a project's mail in one hour, by source. An hour has several rows: writers that share none do not wait for each other, so only
 * the sum means something.
 */
type MailHour = {
  /** `<projectId>/<hour as ISO 8601>/<writer>` */
  readonly _id: string;
  readonly projectId: string;
  /** Its beginning, UTC. */
  readonly hour: Date;
} & Readonly<Partial<Record<EmailSource, Readonly<Partial<Record<Counter, number>>>>>>;

const counts = new Schema(Object.fromEntries(COUNTERS.map((counter) => [counter, { type: Number }])), { _id: false });

const mailHourSchema = rowSchema<MailHour>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  hour: { type: Date, required: true },
  transactional: { type: counts },
  campaign: { type: counts },
  workflow: { type: counts },
  inbound: { type: counts },
});
mailHourSchema.index({ projectId: 1, hour: 1 }); // sum a span of a project's hours
export const MailHourModel = model<MailHour>('MailHour', mailHourSchema, 'mail_hours');

/** Something that happened to a message. What a message in test mode goes through is not counted. */
export type MailHappening = Pick<Email, 'projectId' | 'source' | 'testMode'> & {
  readonly counter: Counter;
  readonly at: Date;
  /** Number of messages, all of that hour; -1 takes back the count for the same instant: a delivery that bounced after all. */
  readonly by?: number;
};

/** Number of rows of an hour, which transactions write in turn: two that write the same row abort each other. */
const STRIPES = 16;
const rotation = perDatabase(() => ({ stripe: Math.floor(Math.random() * STRIPES) }));

/** The writer that is no transaction: it has a row to itself, so that transactions, which would abort, never meet it. */
const OUTSIDE = 'x';

/**
 * Counts what happened to messages, in the hour of its instant; resolves when it is stored. What comes while a write is under way goes together in
 * the next one. Called twice, it counts twice.
 */
export const countMail = (happenings: readonly MailHappening[]): Promise<void> => mailWriter().addAll(happenings);

const mailWriter = perDatabase(
  () =>
    new Batcher<MailHappening>(async (happenings) => {
      const writes = additions(happenings, OUTSIDE);
      if (writes.length > 0) await MailHourModel.collection.bulkWrite(writes, { ordered: false });
    }),
);

/** Counts mail in the transaction of the change that is counted. */
export async function countMailIn(session: ClientSession, happenings: readonly MailHappening[]): Promise<void> {
  const own = rotation();
  own.stripe = (own.stripe + 1) % STRIPES;
  const writes = additions(happenings, String(own.stripe));
  if (writes.length > 0) await MailHourModel.collection.bulkWrite(writes, { session, ordered: false });
}

interface Sum {
  readonly projectId: string;
  readonly hour: Date;
  readonly counts: Record<string, number>;
}

/** Returns one addition for each project and hour. */
function additions(happenings: readonly MailHappening[], writer: string) {
  const sums = new Map<string, Sum>();
  for (const { projectId, source, testMode, counter, at, by = 1 } of happenings) {
    if (testMode) continue;
    const hour = bucketStart(at, 'hour');
    const key = `${projectId}/${hour.toISOString()}/${writer}`;
    let sum = sums.get(key);
    if (!sum) sums.set(key, (sum = { projectId, hour, counts: {} }));
    const path = `${source}.${counter}`;
    sum.counts[path] = (sum.counts[path] ?? 0) + by;
  }
  return [...sums].map(([_id, { projectId, hour, counts }]) => ({
    updateOne: { filter: { _id: _id, projectId }, update: { $inc: counts, $setOnInsert: { hour } }, upsert: true, hint: '_id_' },
  }));
}

/** Refused at once, it was sent too: what was refused is a part of what was sent (docs/stats.md). */
const COUNTED_AS: Readonly<Record<string, readonly Counter[]>> = {
  'email.sent': ['sent'],
  'email.delivered': ['delivered'],
  'email.opened': ['opened'],
  'email.clicked': ['clicked'],
  'email.bounced': ['sent', 'bounced'],
  'email.complained': ['complained'],
  'email.failed': ['failed'],
  'email.unsubscribed': ['unsubscribed'],
  'email.received': ['received'],
};

export const COUNTED_NAMES: readonly string[] = Object.keys(COUNTED_AS);

// One that comes back late was counted as sent when it was.
const countedAs = (name: string, data: CountedEvent['data'] | undefined): readonly Counter[] =>
  name === 'email.bounced' && data?.['late'] === true ? ['bounced'] : (COUNTED_AS[name] ?? []);

type CountedEvent = Pick<NewEvent, 'projectId' | 'name' | 'data' | 'testMode' | 'at'>;

/**
 * Returns what an event counts as, at its own instant. All counters go by this, so that counters of hours and events agree. What a message has been through
 * before, and what machines do, has `data.first` false, and does not count.
 */
export const happeningsOf = ({ projectId, name, data, testMode, at }: CountedEvent): readonly MailHappening[] =>
  data?.['first'] === false
    ? []
    : countedAs(name, data).map((counter) => ({ projectId, source: data?.['source'] as Email['source'], testMode, counter, at }));
