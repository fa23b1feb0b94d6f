import type { ClientSession } from 'mongoose';
import { answer, untilDone } from '../../platform/async';
import { merged } from '../../platform/core';
import type { Core, ProjectFacts } from '../../platform/core';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { claim, claimed, holding, mayHold, notBegunAgain, otherOutcomes, settle, settleAndClaim } from '../../records/emails';
import type { BounceType, Claim, Email, Outcome } from '../../records/emails';
import { emit, emitOnce, storedIds } from '../../records/events';
import type { EmailEvent, Listening, NewEvent } from '../../records/events';
import { findProject } from '../../records/projects';
import { countMailIn, happeningsOf } from '../../records/stats';
import { suppress } from '../../records/suppressions';
import type { Suppresses } from '../../rules/bounce-class';
import { isGivenUp, isRefusedAgain } from '../../rules/repeated-bounces';
import {
  Once,
  acceptedOf,
  countFinished,
  countHardBounces,
  countInCampaignsLater,
  laterCounts,
  mayOutlastCampaign,
  settleCounted,
} from './counts';
import { eventOf } from './outcome';

/**
 * Records the outcomes of messages, each event as a row of its own. Each step may be repeated, and the ledger comes last, so no transaction
 * is needed (one costs the database four times as much for a flush): a message whose row is settled has its events and its suppression.
 *
 * | killed            | found                                            | happens                                                        |
 * |-------------------|--------------------------------------------------|----------------------------------------------------------------|
 * | before the events | `sending`                                        | in doubt: sent again after the lease                           |
 * | before the ledger | `sending`, events (suppression, counts)          | the same; its events exist already, the counts are repeated     |
 * | after the ledger  | settled                                          | nothing                                                        |
 *
 * Messages of a slice that others have `takenOver` have events under the ids that the next attempt uses. Give all tries of a record the
 * same `once`.
 */
export async function record(
  core: Pick<Core, 'log'>,
  finished: readonly Outcome[],
  { once = new Once(), takenOver = false }: { readonly once?: Once; readonly takenOver?: boolean } = {},
): Promise<void> {
  const first = finished.filter((outcome) => !takenOver && isFirst(outcome));
  const firsts = new Set(first);
  const others = finished.filter((outcome) => !firsts.has(outcome));
  const [bounced] = await Promise.all([
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
}

/** A message with an earlier attempt may have events already, from an attempt that was lost: its events are looked for, and counted as they are stored. */
const isFirst = ({ email, accepted }: Outcome): boolean => accepted && email.attempts === 1;

function noteLate({ log }: Pick<Core, 'log'>, late: number): void {
  if (late > 0) log.warn({ late }, 'Results came after other workers had begun the messages again');
}

/**
 * Stores events, some of which a lost attempt or a failed step may have stored before, and counts the new ones in the statistics: both
 * in one transaction, so that each is counted once. Throws when another process stores one of them at the same moment; repeated, it finds it.
 */
export async function emitCounted(events: readonly (NewEvent & { readonly id: string })[]): Promise<void> {
  if (events.length === 0) return;
  await inTransaction(async (session) => {
    const stored = await storedIds(session, events);
    const missing = events.filter(({ id }) => !stored.has(id));
    await emit(session, missing);
    await countMailIn(session, missing.flatMap(happeningsOf));
  });
}

/** Lists the events to emit. Campaign mail emits nothing when it is claimed, so `email.queued` comes with the outcome of its first attempt. */
export const eventsOf = ({ email, events }: Outcome): readonly EmailEvent[] =>
  email.source === 'campaign' ? [eventOf(email, email.createdAt, 'email.queued'), ...events] : events;

/**
 * Suppresses an address that does not exist, at once or when it was refused before, and one with soft bounces after enough of them. Resolves to the messages that
 * count as bounced in the reputation.
 */
export async function suppressBounced(finished: readonly Outcome[]): Promise<readonly Outcome[]> {
  const counting: Outcome[] = [];
  for (const outcome of finished) {
    const { email, set, suppresses } = outcome;
    if (suppresses === 'never' && set.bounceType !== 'soft') continue;
    const project = await findProject(email.projectId);
    // The project was removed while the message was on the wire.
    if (project === null) continue;
    const at = new Date();
    const isDead = await inTransaction((session) => suppressByBounce(session, project, email, { ...set, suppresses, source: 'smtp', at }));
    if (isDead) counting.push(outcome);
  }
  return counting;
}

interface BounceOfAddress {
  readonly bounceType?: BounceType | null;
  readonly suppresses: Suppresses;
  readonly source: 'smtp' | 'dsn';
  readonly at: Date;
}

/** Suppresses the address of a bounced message as far as the bounce says (docs/delivery.md, Refusals). Resolves to whether it counts in the reputation. */
export async function suppressByBounce(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  email: Pick<Email, '_id' | 'projectId' | 'to'>,
  { bounceType, suppresses, source, at }: BounceOfAddress,
): Promise<boolean> {
  const listed = { email: email.to, reason: 'hard_bounce', at } as const;
  if (suppresses === 'at_once') {
    await suppress(session, project, { ...listed, source });
    return true;
  }
  if (suppresses === 'never' && bounceType !== 'soft') return false;
  const others = await otherOutcomes(session, email, project.idSalt);
  const isAgain = suppresses === 'again' && isRefusedAgain(others, at);
  if (isAgain) await suppress(session, project, { ...listed, source });
  if (bounceType === 'soft' && isGivenUp([...others, { kind: 'soft', at }]))
    await suppress(session, project, { ...listed, source: 'smtp' });
  return isAgain;
}

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
  constructor(private readonly core: Pick<Core, 'log'>) {}

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
async function claimAlone(core: Pick<Core, 'log'>, next: Claim | null): Promise<ReadonlySet<string>> {
  if (next === null) return NONE;
  return answer(() => claim(next)).catch((error: unknown) => {
    core.log.warn({ err: error }, 'A claim was not answered');
    return untilDone(core, 'A claim is not known', () => claimed(next));
  });
}
