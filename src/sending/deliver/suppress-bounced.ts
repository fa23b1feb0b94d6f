import type { ClientSession } from 'mongoose';
import { contactIdFor } from '../../audience/contacts';
import { settleMarketing } from '../../audience/topics';
import { afterwards } from '../../platform/async';
import type { Core } from '../../platform/core';
import type { ProjectFacts } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { otherOutcomes } from '../../records/emails';
import type { BounceType, Email, Outcome } from '../../records/emails';
import { findProject } from '../../records/projects';
import { suppress } from '../../records/suppressions';
import type { Suppresses } from '../../rules/bounce-class';
import { isGivenUp, isRefusedAgain } from '../../rules/repeated-bounces';

/**
 * Suppresses an address that does not exist, at once or when it was refused before, and one with soft bounces after enough of them, and cancels what waits for it.
 * Resolves to the messages that count as bounced in the reputation.
 */
export async function suppressBounced(core: SettlingCore, finished: readonly Outcome[]): Promise<readonly Outcome[]> {
  const counting: Outcome[] = [];
  for (const outcome of finished) {
    const { email, set, suppresses } = outcome;
    if (suppresses === 'never' && set.bounceType !== 'soft') continue;
    const project = await findProject(email.projectId);
    // The project was removed while the message was on the wire.
    if (project === null) continue;
    const at = new Date();
    const { counts, suppressed } = await inTransaction((session) =>
      suppressByBounce(session, project, email, { ...set, suppresses, source: 'smtp', at }),
    );
    if (suppressed) await settleReturned(core, project, email.to);
    if (counts) counting.push(outcome);
  }
  return counting;
}

type SettlingCore = Pick<Core, 'config' | 'log'>;

/** Cancels what waits for an address that gets no more mail. What a failure leaves is judged when its time comes. */
export const settleReturned = (core: SettlingCore, project: Pick<ProjectFacts, '_id' | 'idSalt'>, to: string): Promise<void> =>
  afterwards(core, 'Mail that waits for a suppressed address was not cancelled', () =>
    settleMarketing(core, project._id, [{ contactId: contactIdFor(project, to), address: to }]),
  );

interface BounceOfAddress {
  readonly bounceType?: BounceType | null;
  readonly suppresses: Suppresses;
  readonly source: 'smtp' | 'dsn';
  readonly at: Date;
}

/** Suppresses the address of a bounced message as far as the bounce says (docs/delivery.md, Refusals). Resolves to whether it counts in the reputation, and whether the address is suppressed now. */
export async function suppressByBounce(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  email: Pick<Email, '_id' | 'projectId' | 'to'>,
  { bounceType, suppresses, source, at }: BounceOfAddress,
): Promise<{ readonly counts: boolean; readonly suppressed: boolean }> {
  const listed = { email: email.to, reason: 'hard_bounce', at } as const;
  if (suppresses === 'at_once') {
    await suppress(session, project, { ...listed, source });
    return { counts: true, suppressed: true };
  }
  if (suppresses === 'never' && bounceType !== 'soft') return { counts: false, suppressed: false };
  const others = await otherOutcomes(session, email, project.idSalt);
  const isAgain = suppresses === 'again' && isRefusedAgain(others, at);
  if (isAgain) await suppress(session, project, { ...listed, source });
  const isGone = bounceType === 'soft' && isGivenUp([...others, { kind: 'soft', at }]);
  if (isGone) await suppress(session, project, { ...listed, source: 'smtp' });
  return { counts: isAgain, suppressed: isAgain || isGone };
}
