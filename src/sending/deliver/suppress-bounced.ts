import type { ClientSession } from 'mongoose';
import { contactIdFor } from '../../audience/contacts';
import { settleMarketing } from '../../audience/topics';
import { afterwards } from '../../platform/async';
import type { Core, ProjectFacts } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { otherOutcomes } from '../../records/emails';
import type { BounceType, Email, Outcome } from '../../records/emails';
import { findProject } from '../../records/projects';
import { suppress } from '../../records/suppressions';
import type { Suppresses } from '../../rules/bounce-class';
import { isGivenUp, isRefusedAgain } from '../../rules/bounce-class';

/**
 * Suppresses an address that does not exist, at once or when it was refused before, and one with soft bounces after enough of them. Resolves to the messages that
 * count as bounced in the reputation, and to those whose address is suppressed now.
 */
export async function suppressBounced(
  finished: readonly Outcome[],
): Promise<{ readonly bounced: readonly Outcome[]; readonly suppressed: readonly Returned[] }> {
  const bounced: Outcome[] = [];
  const suppressed: Returned[] = [];
  for (const outcome of finished) {
    const { email, set, suppresses } = outcome;
    if (suppresses === 'never' && set.bounceType !== 'soft') continue;
    const project = await findProject(email.projectId);
    // The project was removed while the message was on the wire.
    if (project === null) continue;
    const at = new Date();
    const { counts, suppressed: isSuppressed } = await inTransaction((session) =>
      suppressByBounce(session, project, email, { ...set, suppresses, source: 'smtp', at }),
    );
    if (isSuppressed) suppressed.push({ project, to: email.to });
    if (counts) bounced.push(outcome);
  }
  return { bounced, suppressed };
}

/** An address that gets no more mail of a project. */
interface Returned {
  readonly project: Pick<ProjectFacts, '_id' | 'idSalt'>;
  readonly to: string;
}

/** Cancels what waits for suppressed addresses. Called once the messages that were refused are recorded: until then, one that was taken over waits, too. */
export async function settleSuppressed(core: SettlingCore, suppressed: readonly Returned[]): Promise<void> {
  for (const { project, to } of suppressed) await settleReturned(core, project, to);
}

type SettlingCore = Pick<Core, 'config' | 'log'>;

/** Cancels what waits for an address that gets no more mail. What a failure leaves is checked when its time comes. */
export const settleReturned = (core: SettlingCore, project: Returned['project'], to: string): Promise<void> =>
  afterwards(core, 'Mail that waits for a suppressed address was not cancelled', () =>
    settleMarketing(core, project._id, [{ contactId: contactIdFor(project, to), address: to }]),
  );

interface BounceOfAddress {
  readonly bounceType?: BounceType | null;
  readonly suppresses: Suppresses;
  readonly source: 'smtp' | 'dsn';
  readonly at: Date;
}

/**
 * Suppresses the address of a bounced message as far as the bounce says (docs/delivery.md, Refusals). Resolves to whether it counts in the reputation, and whether
 * the address is suppressed now.
 */
export async function suppressByBounce(
  session: ClientSession,
  project: Returned['project'],
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
