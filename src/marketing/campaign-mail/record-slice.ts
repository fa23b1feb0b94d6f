import type { Core } from '../../platform/core';
import { findWritten, insertWritten, insertWrittenRows } from '../../records/emails';
import type { Attempt, Email, EmailRow, NewRow, Outcome, WrittenRow } from '../../records/emails';
import { sliceOfAttempt } from '../../records/events';
import type { Listening, Slice } from '../../records/events';
import { GROUPED_NAMES } from '../../rules/email-events';
import type { RecordedSlice } from './slice-ends';
import type { Sent, SliceStream } from './stream';
import {
  acceptedOf,
  answerOf,
  Once,
  countHardBounces,
  countInCampaignsLater,
  emitCounted,
  eventCountOf,
  eventsOf,
  laterCounts,
  noteOutcomes,
  noteStreamed,
  record,
  suppressBounced,
} from '../../sending/deliver';
import type { Engine, LaterCounts } from '../../sending/deliver';

interface Streamed {
  readonly stream: SliceStream;
  readonly rows: readonly EmailRow[];
}

/** Decisions about a slice that stay the same while steps of its record are retried. */
interface Plan {
  readonly attempt: Attempt;
  readonly finished: readonly Outcome[];
  /** Messages that streams have seen accepted, with their rows; null where each message has events of its own. */
  readonly streamed: Streamed | null;
  /**
   * Number of event names that the rows of accepted messages represent; 0 if one of them has a listener: then each event is a row of its
   * own.
   */
  readonly grouped: number;
  /** Decided by the first try that has written all rows: once late messages are settled, their rows look like ones that this attempt has written. */
  written: Written | null;
  counted: boolean;
  /** The counted messages of this attempt, and those that others had taken over. */
  readonly own: Once;
  readonly late: Once;
}

/** The messages of a slice, by who has written their rows. */
interface Written {
  /** Messages with a row of this attempt, but for streamed ones. */
  readonly own: readonly Outcome[];
  /** Messages that other workers had taken over, streamed ones included. */
  readonly late: readonly Outcome[];
  readonly lateOfStream: readonly Outcome[];
}

/** The outcomes of a slice's messages. */
interface Outcomes {
  readonly finished: readonly Outcome[];
  readonly stream?: SliceStream | null;
  /** Asks what the project listens to. */
  readonly listening: () => Promise<Listening>;
  /** Called when each message has a row. */
  readonly recorded: () => void;
}

/**
 * Records the outcomes of a slice: suppressions, then the rows, once for each message, then what follows from them. What is left is for the end of the slice
 * (`slice-ends.ts`). After a crash, the take-over of the claim completes the rest (`take-over-claims.ts`). Each step may be repeated. A message that was taken
 * over meanwhile is recorded like any other whose lease was lost.
 */
export async function recordSlice(
  { core, engine }: { readonly core: Pick<Core, 'log'>; readonly engine: Pick<Engine, 'untilDone'> },
  attempt: Attempt,
  outcomes: Outcomes,
): Promise<RecordedSlice> {
  const plan = await engine.untilDone('A slice could not be recorded', () => planOf(attempt, outcomes));
  const slice = await engine.untilDone('A slice was not recorded', () => write(core, plan, outcomes.recorded));
  return { claim: { _id: attempt.id, campaignId: whoseIs(plan).campaignId ?? '' }, slice };
}

async function planOf(attempt: Attempt, { finished, stream = null, listening }: Outcomes): Promise<Plan> {
  const first = firstAccepted(finished, stream);
  const grouped = first && !isHeard(first, await listening()) ? eventCountOf(first) : 0;
  const common = { attempt, grouped, written: null, counted: false, own: new Once(), late: new Once() };
  if (!stream) return { ...common, finished, streamed: null };
  if (grouped > 0) return { ...common, finished, streamed: { stream, rows: stream.rows(grouped) } };
  const alone = stream.sent.map((sent) => finishedOf(stream, sent));
  noteOutcomes(alone);
  return { ...common, finished: [...finished, ...alone], streamed: null };
}

function firstAccepted(finished: readonly Outcome[], stream: SliceStream | null): Outcome | undefined {
  const [streamed] = stream?.sent ?? [];
  return stream && streamed ? finishedOf(stream, streamed) : finished.find(({ accepted }) => accepted);
}

/** Whether one of the event names that a message's row would stand for has a listener. */
const isHeard = (first: Outcome, { hears }: Listening): boolean => GROUPED_NAMES.slice(0, eventCountOf(first)).some(hears);

/** Returns the same result for a streamed message as for one that was sent separately. */
function finishedOf({ parts }: SliceStream, { mail, lane, reply, at }: Sent): Outcome {
  return lane.judge(parts.make(mail.place).email, { accepted: true, reply }, new Date(at));
}

const isOfSlice = ({ grouped }: Plan, outcome: Outcome): boolean => grouped > 0 && outcome.accepted && eventCountOf(outcome) === grouped;

/** Writes what is known of a slice; resolves to the events that its rows stand for. */
async function write(core: Pick<Core, 'log'>, plan: Plan, recorded: () => void): Promise<Slice | null> {
  const bounced = await suppressBounced(plan.finished);
  const written = await writtenOf(plan);
  recorded();
  const { own, late } = written;
  await emitCounted(own.filter((one) => !isOfSlice(plan, one)).flatMap(eventsOf));
  countWritten(core, plan, written);
  await countHardBounces(
    core,
    plan.own,
    bounced.filter((one) => own.includes(one)),
  );
  if (late.length > 0) await record(core, late, { once: plan.late, takenOver: true });
  const count = slicedCount(plan, written);
  return count > 0 ? sliceOf(plan, count) : null;
}

/** Counts the messages whose rows hold their events. */
const slicedCount = (plan: Plan, { own, lateOfStream }: Written): number =>
  own.filter((one) => isOfSlice(plan, one)).length + (plan.streamed?.stream.sent.length ?? 0) - lateOfStream.length;

async function writtenOf(plan: Plan): Promise<Written> {
  const found = plan.written ?? (await writeAll(plan));
  // Of two tries, one of which was considered lost but continued all the same, the first to know decides.
  plan.written ??= found;
  return plan.written;
}

async function writeAll(plan: Plan): Promise<Written> {
  const lateOfStream = plan.streamed ? await writeStreamed(plan, plan.streamed) : [];
  const late = new Set(await writeRows(plan));
  return { own: plan.finished.filter((one) => !late.has(one)), late: [...late, ...lateOfStream], lateOfStream };
}

/** Writes the rows of streamed messages. Resolves to the messages that another worker has taken over. */
async function writeStreamed(plan: Plan, { stream, rows }: Streamed): Promise<readonly Outcome[]> {
  const known = await insertWrittenRows(rows);
  return known.length === 0
    ? []
    : takenOver(
        plan,
        known.map((at) => finishedOf(stream, stream.sent[at] as Sent)),
      );
}

/** The campaign of a slice, and its project: all of its messages have the same. */
const whoseIs = ({ finished, streamed }: Plan): Pick<Email, 'projectId' | 'campaignId'> =>
  streamed?.stream.sample ?? (finished[0] as Outcome).email;

function sliceOf(plan: Plan, count: number): Slice {
  const { attempt, grouped } = plan;
  const { projectId, campaignId } = whoseIs(plan);
  return sliceOfAttempt({ attemptId: attempt.id, projectId, campaignId: campaignId ?? '', at: attempt.at, grouped, count });
}

/** Writes rows. Resolves to the messages that another worker has taken over. Rows that this attempt has written before stay as they are. */
async function writeRows(plan: Plan): Promise<readonly Outcome[]> {
  const known = await insertWritten(plan.finished.map((one) => newRow(plan, one)));
  return known.length === 0
    ? []
    : takenOver(
        plan,
        known.map((at) => plan.finished[at] as Outcome),
      );
}

async function takenOver(plan: Plan, there: readonly Outcome[]): Promise<readonly Outcome[]> {
  const rows = await findWritten(
    there[0]?.email.projectId ?? '',
    there.map(({ email }) => email._id),
  );
  const ours = new Map(rows.filter((row) => row.attempt?.id === plan.attempt.id).map((row) => [row._id, row]));
  return there.filter((one) => {
    const row = ours.get(one.email._id);
    return !row || !isAsWritten(plan, one, row);
  });
}

/** Returns whether a row of this attempt is as the attempt writes it; another worker queues it, and may have cancelled it since. */
const isAsWritten = (plan: Plan, outcome: Outcome, row: WrittenRow): boolean =>
  isOfSlice(plan, outcome) ? row.grouped !== undefined : row.status !== 'queued' || outcome.set.status === 'queued';

function newRow(plan: Plan, outcome: Outcome): NewRow {
  const { email, set } = outcome;
  if (!isOfSlice(plan, outcome)) return { email, set, held: null };
  return { email, set, held: { grouped: plan.grouped, response: answerOf(outcome) } };
}

/** Counts the written messages; hourly statistics count slices from their groups. */
function countWritten(core: Pick<Core, 'log'>, plan: Plan, { own, lateOfStream }: Written): void {
  if (plan.counted) return;
  plan.counted = true;
  const { deliveries, inCampaigns } = laterCounts(core);
  deliveries.add(acceptedOf(own));
  countInCampaignsLater(core, own);
  if (plan.streamed) countStreamed(plan.streamed, lateOfStream, { deliveries, inCampaigns });
}

function countStreamed({ stream }: Streamed, lateOfStream: readonly Outcome[], { deliveries, inCampaigns }: LaterCounts): void {
  const late = new Set(lateOfStream.map(({ email }) => email._id));
  const own = late.size === 0 ? stream.sent : stream.sent.filter(({ mail }) => !late.has(mail.addressed.recipient.emailId));
  noteStreamed(stream.sent.map(({ mail }) => mail.envelope.to));
  deliveries.add([{ projectId: stream.sample.projectId, sent: own.length, bounced: 0 }]);
  inCampaigns.add(stream.happenings(own));
}
