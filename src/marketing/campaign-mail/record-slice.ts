import type { Core } from '../../platform/core';
import { findWritten, insertWritten, insertWrittenBytes } from '../../records/emails';
import type { Attempt, NewRow, Outcome } from '../../records/emails';
import { sliceOfAttempt } from '../../records/events';
import type { Listening, Slice } from '../../records/events';
import { GROUPED_NAMES } from '../../rules/email-events';
import type { RowBytes } from '../../platform/mongo';
import type { RecordedSlice } from './slice-ends';
import type { Sent, SliceStream } from './stream';
import {
  acceptedOf,
  answerOf,
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
  readonly rows: RowBytes;
}

/** Decisions about a slice that stay the same while steps of its record are retried. */
interface Plan {
  readonly attempt: Attempt;
  readonly finished: readonly Outcome[];
  /** Messages that streams have seen accepted, with their rows; null where each message has events of its own. */
  readonly streamed: Streamed | null;
  /** How many event names the rows of accepted messages stand for; 0 where one of them has a listener: then each event is a row of its own. */
  readonly grouped: number;
  /** Messages that other workers had taken over; found when the rows are written. */
  late: readonly Outcome[];
  counted: boolean;
}

/** What became of the messages of a slice. */
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
  return { attemptId: attempt.id, slice };
}

async function planOf(attempt: Attempt, { finished, stream = null, listening }: Outcomes): Promise<Plan> {
  const first = firstAccepted(finished, stream);
  const grouped = first && !isHeard(first, await listening()) ? eventCountOf(first) : 0;
  const common = { attempt, grouped, late: [], counted: false };
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

/** Makes the same result for a streamed message as for one that went by itself. */
function finishedOf({ parts }: SliceStream, { mail, lane, reply, at }: Sent): Outcome {
  return lane.judge(parts.make(mail.place).email, { accepted: true, reply }, new Date(at));
}

const isOfSlice = ({ grouped }: Plan, outcome: Outcome): boolean => grouped > 0 && outcome.accepted && eventCountOf(outcome) === grouped;

/** Writes what is known of a slice; resolves to the events that its rows stand for. */
async function write(core: Pick<Core, 'log'>, plan: Plan, recorded: () => void): Promise<Slice | null> {
  const { finished, streamed } = plan;
  await suppressBounced(finished);
  const lateOfStream = streamed ? await writeStreamed(plan, streamed) : [];
  plan.late = [...(await writeRows(plan)), ...lateOfStream];
  recorded();
  const late = new Set(plan.late);
  const written = finished.filter((one) => !late.has(one));
  const sliced = written.filter((one) => isOfSlice(plan, one));
  const alone = written.filter((one) => !isOfSlice(plan, one));
  const count = sliced.length + (streamed?.stream.sent.length ?? 0) - lateOfStream.length;
  await emitCounted(alone.flatMap(eventsOf));
  countWritten(core, plan, written, lateOfStream);
  await countHardBounces(core, written);
  if (plan.late.length > 0) await record(core, plan.late, true);
  return count > 0 ? sliceOf(plan, count) : null;
}

/** Writes the rows of streamed messages. Resolves to the messages that another worker has taken over. */
async function writeStreamed({ attempt }: Plan, { stream, rows }: Streamed): Promise<readonly Outcome[]> {
  const known = await insertWrittenBytes(rows);
  return known.length === 0
    ? []
    : takenOver(
        attempt,
        known.map((at) => finishedOf(stream, stream.sent[at] as Sent)),
      );
}

function sliceOf({ attempt, grouped, finished, streamed }: Plan, count: number): Slice {
  const { projectId, campaignId } = streamed?.stream.sample ?? (finished[0] as Outcome).email;
  return sliceOfAttempt({ attemptId: attempt.id, projectId, campaignId: campaignId ?? '', at: attempt.at, grouped, count });
}

/** Writes rows. Resolves to the messages that another worker has taken over. Rows that this attempt has written before stay as they are. */
async function writeRows(plan: Plan): Promise<readonly Outcome[]> {
  const known = await insertWritten(plan.finished.map((one) => newRow(plan, one)));
  return known.length === 0
    ? []
    : takenOver(
        plan.attempt,
        known.map((at) => plan.finished[at] as Outcome),
      );
}

async function takenOver(attempt: Attempt, there: readonly Outcome[]): Promise<readonly Outcome[]> {
  const rows = await findWritten(there.map(({ email }) => email._id));
  const ours = new Map(rows.filter((row) => row.attempt?.id === attempt.id).map((row) => [row._id, row]));
  return there.filter(({ email, set }) => {
    const row = ours.get(email._id);
    return !row || (row.status === 'queued' && set.status !== 'queued');
  });
}

function newRow(plan: Plan, outcome: Outcome): NewRow {
  const { email, set } = outcome;
  if (!isOfSlice(plan, outcome)) return { email, set, held: null };
  return { email, set, held: { grouped: plan.grouped, response: answerOf(outcome) } };
}

/** Counts the written messages; hourly statistics count slices from their groups. */
function countWritten(core: Pick<Core, 'log'>, plan: Plan, written: readonly Outcome[], lateOfStream: readonly Outcome[]): void {
  if (plan.counted) return;
  plan.counted = true;
  const { deliveries, inCampaigns } = laterCounts(core);
  deliveries.add(acceptedOf(written));
  countInCampaignsLater(core, written);
  if (plan.streamed) countStreamed(plan.streamed, lateOfStream, { deliveries, inCampaigns });
}

function countStreamed({ stream }: Streamed, lateOfStream: readonly Outcome[], { deliveries, inCampaigns }: LaterCounts): void {
  const late = new Set(lateOfStream.map(({ email }) => email._id));
  const own = late.size === 0 ? stream.sent : stream.sent.filter(({ mail }) => !late.has(mail.addressed.recipient.emailId));
  noteStreamed(stream.sent.map(({ mail }) => mail.envelope.to));
  deliveries.add([{ projectId: stream.sample.projectId, sent: own.length, bounced: 0 }]);
  inCampaigns.add(stream.happenings(own));
}
