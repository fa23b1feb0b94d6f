import type { Core } from '../../platform/core';
import { databaseNow } from '../../platform/mongo';
import { findWritten, heldLate, holding, insertWrittenRows, isHolder, isTimely, toRow } from '../../records/emails';
import type { Attempt, EmailRow, Outcome, WrittenRow } from '../../records/emails';
import type { Listening } from '../../records/events';
import type { Sent, SliceStream } from './stream';
import {
  acceptedOf,
  Once,
  countHardBounces,
  countInCampaignsLater,
  emitCounted,
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
  /** Whether rows of accepted messages hold their events; where one of those has a listener, each event is a row of its own. */
  readonly holds: boolean;
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
 * Records the outcomes of a slice: suppressions, then the rows, once for each message, then what follows from them. What is left is the end of the claim.
 * After a crash, the take-over of the claim completes the rest (`take-over-claims.ts`). Each step may be repeated. A message that was taken
 * over meanwhile is recorded like any other whose lease was lost.
 */
export async function recordSlice(
  { core, engine }: { readonly core: Pick<Core, 'log'>; readonly engine: Pick<Engine, 'untilDone'> },
  attempt: Attempt,
  outcomes: Outcomes,
): Promise<void> {
  const plan = await engine.untilDone('A slice could not be recorded', () => planOf(attempt, outcomes));
  await engine.untilDone('A slice was not recorded', () => write(core, plan, outcomes.recorded));
}

async function planOf(attempt: Attempt, { finished, stream = null, listening }: Outcomes): Promise<Plan> {
  const first = firstAccepted(finished, stream);
  const holds = first !== undefined && !isHeard(first, await listening());
  const common = { attempt, holds, written: null, counted: false, own: new Once(), late: new Once() };
  if (!stream) return { ...common, finished, streamed: null };
  if (holds) return { ...common, finished, streamed: { stream, rows: stream.rows() } };
  const alone = stream.sent.map((sent) => finishedOf(stream, sent));
  noteOutcomes(alone);
  return { ...common, finished: [...finished, ...alone], streamed: null };
}

function firstAccepted(finished: readonly Outcome[], stream: SliceStream | null): Outcome | undefined {
  const [streamed] = stream?.sent ?? [];
  return stream && streamed ? finishedOf(stream, streamed) : finished.find(({ accepted }) => accepted);
}

/** Whether one of the events that a message's row would hold has a listener. */
const isHeard = (first: Outcome, { hears }: Listening): boolean => eventsOf(first).some(({ name }) => hears(name));

/** Returns the same result for a streamed message as for one that was sent separately. */
function finishedOf({ parts }: SliceStream, { mail, lane, reply, at }: Sent): Outcome {
  return lane.judge(parts.make(mail.place).email, { accepted: true, reply }, new Date(at));
}

const isHeld = ({ holds }: Plan, { accepted }: Outcome): boolean => holds && accepted;

/** Writes what is known of a slice. */
async function write(core: Pick<Core, 'log'>, plan: Plan, recorded: () => void): Promise<void> {
  const bounced = await suppressBounced(plan.finished);
  const written = await writtenOf(plan);
  recorded();
  const { own, late } = written;
  await emitCounted(own.filter((one) => !isHeld(plan, one)).flatMap(eventsOf));
  countWritten(core, plan, written);
  await countHardBounces(
    core,
    plan.own,
    bounced.filter((one) => own.includes(one)),
  );
  if (late.length > 0) await record(core, late, { once: plan.late, takenOver: true });
}

async function writtenOf(plan: Plan): Promise<Written> {
  const found = plan.written ?? (await writeAll(plan));
  // Of two tries, one of which was considered lost but continued all the same, the first to know decides.
  plan.written ??= found;
  return plan.written;
}

/** Writes rows. Those that this attempt has written before stay as they are. */
async function writeAll(plan: Plan): Promise<Written> {
  const { finished, streamed } = plan;
  const now = await databaseNow();
  const rows = [...finished.map((one) => rowOf(plan, one, now)), ...(streamed ? streamedRows(plan, streamed, now) : [])];
  const known = await insertWrittenRows(rows);
  const there = known.filter((at) => at < finished.length).map((at) => finished[at] as Outcome);
  const sent = streamed ? known.slice(there.length).map((at) => streamed.stream.sent[at - finished.length] as Sent) : [];
  const thereOfStream = sent.map((one) => finishedOf((streamed as Streamed).stream, one));
  const [late, lateOfStream] = await Promise.all([takenOver(plan, there), takenOver(plan, thereOfStream)]);
  const lost = new Set(late);
  return { own: finished.filter((one) => !lost.has(one)), late: [...late, ...lateOfStream], lateOfStream };
}

const streamedRows = ({ attempt }: Plan, { rows }: Streamed, now: Date): readonly EmailRow[] =>
  isTimely(attempt.at, now) ? rows : rows.map((row) => ({ ...row, ...heldLate(now) }));

const rowOf = (plan: Plan, outcome: Outcome, now: Date): EmailRow =>
  toRow(outcome.email, isHeld(plan, outcome) ? { ...outcome.set, ...holding(outcome, now) } : outcome.set);

/** Finds the messages that another worker has taken over, of those that have rows. */
async function takenOver(plan: Plan, there: readonly Outcome[]): Promise<readonly Outcome[]> {
  if (there.length === 0) return [];
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
  isHeld(plan, outcome) ? isHolder(row) : row.status !== 'queued' || outcome.set.status === 'queued';

/** Counts the written messages; hourly statistics count what rows hold from those. */
function countWritten(core: Pick<Core, 'log'>, plan: Plan, { own, lateOfStream }: Written): void {
  if (plan.counted) return;
  plan.counted = true;
  const { deliveries, inCampaigns } = laterCounts(core);
  void deliveries.addAll(acceptedOf(own));
  countInCampaignsLater(core, own);
  if (plan.streamed) countStreamed(plan.streamed, lateOfStream, { deliveries, inCampaigns });
}

function countStreamed({ stream }: Streamed, lateOfStream: readonly Outcome[], { deliveries, inCampaigns }: LaterCounts): void {
  const late = new Set(lateOfStream.map(({ email }) => email._id));
  const own = late.size === 0 ? stream.sent : stream.sent.filter(({ mail }) => !late.has(mail.addressed.recipient.emailId));
  noteStreamed(stream.sent.map(({ mail }) => mail.envelope.to));
  void deliveries.add({ projectId: stream.sample.projectId, sent: own.length, bounced: 0 });
  void inCampaigns.addAll(stream.happenings(own));
}
