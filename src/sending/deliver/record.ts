import { answer, untilDone } from '../../platform/async';
import { merged } from '../../platform/core';
import type { Core } from '../../platform/core';
import { databaseNow } from '../../platform/mongo';
import type { CampaignHappening } from '../../records/campaign-figures';
import {
  claim,
  claimed,
  findWritten,
  recordedLate,
  holding,
  insertWrittenRows,
  isHolder,
  isTimely,
  mayHold,
  notBegunAgain,
  settle,
  settleAndClaim,
  toRow,
} from '../../records/emails';
import type { Attempt, Claim, EmailRow, Outcome } from '../../records/emails';
import { emitOnce } from '../../records/events';
import type { EmailEvent, Listening } from '../../records/events';
import { noteRefusals } from '../provider-holds';
import {
  Once,
  acceptedOf,
  countFinished,
  countHardBounces,
  countInCampaignsLater,
  laterCounts,
  mayOutlastCampaign,
  settleCounted,
  emitCounted,
} from './counts';
import { noteSlice } from './candidates';
import { eventOf, noteOutcomes, noteStreamed } from './outcome';
import { settleSuppressed, suppressBounced } from './suppress-bounced';

/*
 * Everything that is written about what came of messages: rows, events, counters, suppressions. `Recorder` has messages of the queue, whose rows exist, and come
 * last; `recordWritten` has messages of a claim of campaign mail, whose rows are written here, once, and whose claim ends last. Each step may be repeated, and
 * what comes last says that all of it was done, so no transaction is needed (one costs the database four times as much for a flush).
 *
 * | killed                          | found                                        | happens                                                      |
 * |---------------------------------|----------------------------------------------|--------------------------------------------------------------|
 * | queue: before the events        | `sending`                                    | in doubt: sent again after the lease                         |
 * | queue: before the row           | `sending`, events (suppression, counts)      | the same; its events exist already, the counts are repeated  |
 * | queue: after the row            | settled                                      | nothing                                                      |
 * | claim: before the rows          | a claim that has begun                       | in doubt: taken over, and sent by the queue after the lease  |
 * | claim: after some or all rows   | the claim, and rows of its attempt           | written rows stay, and their missing events are stored; others as above |
 * | claim: after events, counters   | the claim, and all that follows from it      | the same; each event exists once                             |
 * | claim: after its end            | only rows                                    | nothing                                                      |
 */

type RecordCore = Pick<Core, 'log' | 'config' | 'dns'>;

/**
 * Records the outcomes of messages whose rows exist, each event as a row of its own. Messages of a claim that others have `takenOver` have events under the ids
 * that the next attempt uses. Give all tries of a record the same `once`.
 */
export async function record(
  core: RecordCore,
  finished: readonly Outcome[],
  { once = new Once(), takenOver = false }: { readonly once?: Once; readonly takenOver?: boolean } = {},
): Promise<void> {
  const first = finished.filter((outcome) => !takenOver && isFirst(outcome));
  await once.step('refusals', () => noteRefusals(core, finished));
  const firsts = new Set(first);
  const others = finished.filter((outcome) => !firsts.has(outcome));
  const [{ bounced, suppressed }] = await Promise.all([
    suppressBounced(finished),
    emitOnce(first.flatMap(eventsOf)),
    emitCounted(others.flatMap(eventsOf)),
  ]);
  await once.step('counts', () => countFinished(core, finished, first));
  await countHardBounces(core, once, bounced);
  const atOnce = finished.filter((outcome) => !mayOutlastCampaign(outcome));
  const [early, outlasting] = await Promise.all([settle(atOnce), settleCounted(finished.filter(mayOutlastCampaign))]);
  noteLate(core, finished.length - early - outlasting);
  countInCampaignsLater(core, early < atOnce.length ? await notBegunAgain(atOnce) : atOnce);
  await settleSuppressed(core, suppressed);
}

// A message with an earlier attempt may have events already, from an attempt that was lost: its events are looked for, and counted as
// they are stored.
const isFirst = ({ email, accepted }: Outcome): boolean => accepted && email.attempts === 1;

function noteLate({ log }: RecordCore, late: number): void {
  if (late > 0) log.warn({ late }, 'Results arrived after other workers had claimed the messages');
}

/** Lists the events to emit. Campaign mail emits nothing when it is claimed, so `email.queued` comes with the outcome of its first attempt. */
const eventsOf = ({ email, events }: Outcome): readonly EmailEvent[] =>
  email.source === 'campaign' ? [eventOf(email, email.createdAt, 'email.queued'), ...events] : events;

/** A result, and how to ask who listens to the events of its message. */
export interface Result {
  readonly outcome: Outcome;
  readonly listening: () => Promise<Listening>;
}

/**
 * Records results and claims the next messages, until both are done: an acknowledged message outlives an outage of the database. A message that was accepted at
 * once, in a project without a listener to its events, is one write: its row holds them (`holding`), and shares its command with the next claim.
 */
export class Recorder {
  constructor(private readonly core: RecordCore) {}

  /** Resolves to the ids that are claimed, when no result can be sent twice any more. */
  async record(results: readonly Result[], next: Claim | null): Promise<ReadonlySet<string>> {
    const { held, alone } = await this.sorted(results);
    const once = new Once();
    const isOne = held.length > 0 && next !== null && held.length + next.ids.length <= ONE_COMMAND;
    const [together, apart] = await Promise.all([
      held.length > 0 ? this.settle(held, isOne ? next : null) : NONE,
      isOne ? NONE : claimAlone(this.core, next),
      alone.length > 0 ? untilDone(this.core, 'Results were not recorded', () => record(this.core, alone, { once })) : undefined,
    ]);
    return isOne ? together : apart;
  }

  private async sorted(results: readonly Result[]): Promise<{ readonly held: readonly Outcome[]; readonly alone: readonly Outcome[] }> {
    const held: Outcome[] = [];
    const alone: Outcome[] = [];
    for (const { outcome, listening } of results) {
      if (await this.isHeld(outcome, listening)) held.push(outcome);
      else alone.push(outcome);
    }
    return { held, alone };
  }

  private async isHeld(outcome: Outcome, listening: Result['listening']): Promise<boolean> {
    if (!isFirst(outcome) || !mayHold(outcome.email, outcome.set.sentAt ?? new Date())) return false;
    const { hears } = await untilDone(this.core, 'Who listens is not known', listening);
    return !eventsOf(outcome).some(({ name }) => hears(name));
  }

  private async settle(held: readonly Outcome[], next: Claim | null): Promise<ReadonlySet<string>> {
    const { settled, claimed } = await untilDone(this.core, 'Results were not recorded', async () => {
      const now = await databaseNow();
      const holders = held.map((outcome) => ({ ...outcome, set: merged(outcome.set, holding(outcome, now)) }));
      return next ? settleAndClaim(holders, next) : { settled: await settle(holders), claimed: NONE };
    });
    const isWhole = settled === held.length;
    void laterCounts(this.core).deliveries.addAll(acceptedOf(held));
    if (!isWhole) noteLate(this.core, held.length - settled);
    countInCampaignsLater(this.core, isWhole ? held : await untilDone(this.core, 'Results are not known', () => notBegunAgain(held)));
    return claimed;
  }
}

/** Rows that one command changes: it changes one after another, and of more than these two commands at once are sooner done than one is dearer. */
const ONE_COMMAND = 50;

const NONE: ReadonlySet<string> = new Set();

/** Claims messages. Resolves to the ids of those that no other worker has claimed, also when the claim itself was not answered. */
async function claimAlone(core: RecordCore, next: Claim | null): Promise<ReadonlySet<string>> {
  if (next === null) return NONE;
  return answer(() => claim(next)).catch((error: unknown) => {
    core.log.warn({ err: error }, 'A claim was not answered');
    return untilDone(core, 'A claim is not known', () => claimed(next));
  });
}

/** Accepted messages of a claim, whose outcomes differ little: their rows hold their events. */
export interface AcceptedAlike {
  readonly projectId: string;
  /** Their recipients. The positions below are of this list. */
  readonly to: readonly string[];
  readonly outcomeAt: (at: number) => Outcome;
  /** Returns their rows, in their order. */
  readonly rows: () => readonly EmailRow[];
  /** Lists what they add to the counters of their campaign, but for the messages in `lost`. */
  readonly happenings: (lost: ReadonlySet<string>) => readonly CampaignHappening[];
}

/** The outcomes of the messages of a claim. */
export interface ClaimOutcomes {
  readonly attempt: Attempt;
  readonly alike: AcceptedAlike;
  /** The outcomes of all others. */
  readonly finished: readonly Outcome[];
  /** Asks what the project listens to. */
  readonly listening: () => Promise<Listening>;
  /** Called when each message has a row. */
  readonly recorded: () => void;
}

/** Decisions that stay the same while steps of a record are retried. */
interface Plan {
  readonly attempt: Attempt;
  /** Messages whose events are rows of their own: so are those of accepted ones where one of them has a listener. */
  readonly alone: readonly Outcome[];
  readonly alike: AcceptedAlike | null;
  readonly rows: readonly EmailRow[];
  /** Decided by the first try that has written all rows: once late messages are settled, their rows look like ones that this attempt has written. */
  written: Written | null;
  /** The messages of this attempt that were counted, and those that others had taken over. */
  readonly own: Once;
  readonly late: Once;
}

/** The messages of a claim, by who has written their rows. */
interface Written {
  /** Messages with a row of this attempt and events of their own. */
  readonly own: readonly Outcome[];
  /** Messages that other workers had taken over. */
  readonly late: readonly Outcome[];
}

/**
 * Records what came of the messages of a claim: suppressions, then the rows, once for each message, then what follows from them. A message that was taken over
 * meanwhile is recorded like any other whose lease was lost. What is left to do is the end of the claim.
 */
export async function recordWritten(core: RecordCore, outcomes: ClaimOutcomes, tried: typeof untilDone = untilDone): Promise<void> {
  const plan = await tried(core, 'A slice could not be recorded', () => planOf(outcomes));
  await tried(core, 'A slice was not recorded', () => write(core, plan, outcomes.recorded));
}

async function planOf({ attempt, alike, finished, listening }: ClaimOutcomes): Promise<Plan> {
  const { to } = alike;
  const common = { attempt, written: null, own: new Once(), late: new Once() };
  const holds = to.length > 0 && !isHeard(alike.outcomeAt(0), await listening());
  noteSlice(finished.length + to.length, attempt.at);
  noteOutcomes(finished);
  noteStreamed(to);
  if (holds) return { ...common, alone: finished, alike, rows: alike.rows() };
  return { ...common, alone: [...finished, ...to.map((_to, at) => alike.outcomeAt(at))], alike: null, rows: [] };
}

/** Returns whether one of the events that a message's row would hold has a listener. */
const isHeard = (outcome: Outcome, { hears }: Listening): boolean => eventsOf(outcome).some(({ name }) => hears(name));

async function write(core: RecordCore, plan: Plan, recorded: () => void): Promise<void> {
  const { bounced, suppressed } = await suppressBounced(plan.alone);
  await plan.own.step('refusals', () => noteRefusals(core, plan.alone));
  const found = plan.written ?? (await writeRows(plan));
  // Of two tries, one of which was considered lost but continued all the same, the first to know decides.
  plan.written ??= found;
  recorded();
  const { own, late } = plan.written;
  await emitCounted(own.flatMap(eventsOf));
  await plan.own.step('counts', () => Promise.resolve(countWritten(core, plan, plan.written as Written)));
  await countHardBounces(
    core,
    plan.own,
    bounced.filter((one) => own.includes(one)),
  );
  if (late.length > 0) await record(core, late, { once: plan.late, takenOver: true });
  await settleSuppressed(core, suppressed);
}

/** Writes rows. Those that this attempt has written before stay as they are. */
async function writeRows({ attempt, alone, alike, rows }: Plan): Promise<Written> {
  const now = await databaseNow();
  const timely = isTimely(attempt.at, now) ? rows : rows.map((row) => ({ ...row, ...recordedLate(now) }));
  const there = await insertWrittenRows([...alone.map(({ email, set }) => toRow(email, set)), ...timely]);
  const known = there.map((at) => alone[at] ?? (alike as AcceptedAlike).outcomeAt(at - alone.length));
  const late = await takenOver(attempt, known, new Set(alone));
  const lost = new Set(late);
  return { own: alone.filter((one) => !lost.has(one)), late };
}

/** Finds the messages that another worker has taken over, of those that have rows. */
async function takenOver({ id }: Attempt, there: readonly Outcome[], alone: ReadonlySet<Outcome>): Promise<readonly Outcome[]> {
  const [first] = there;
  if (!first) return [];
  const rows = await findWritten(
    first.email.projectId,
    there.map(({ email }) => email._id),
  );
  const ours = new Map(rows.filter(({ attempt }) => attempt?.id === id).map((row) => [row._id, row]));
  return there.filter((one) => {
    const row = ours.get(one.email._id);
    // Another worker queues a row of this attempt, and may have cancelled it since.
    const isAsWritten = alone.has(one) ? row?.status !== 'queued' || one.set.status === 'queued' : row && isHolder(row);
    return !row || !isAsWritten;
  });
}

/** Counts the written messages; hourly statistics count what rows hold from those. */
function countWritten(core: RecordCore, { alone, alike }: Plan, { own, late }: Written): void {
  const { deliveries, inCampaigns } = laterCounts(core);
  void deliveries.addAll(acceptedOf(own));
  countInCampaignsLater(core, own);
  if (alike === null) return;
  const lost = new Set(late.filter((one) => !alone.includes(one)).map(({ email }) => email._id));
  void deliveries.add({ projectId: alike.projectId, sent: alike.to.length - lost.size, bounced: 0 });
  void inCampaigns.addAll(alike.happenings(lost));
}
