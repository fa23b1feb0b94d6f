import type { ClientSession } from 'mongoose';
import type { ProjectFacts } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { otherOutcomes } from '../../records/emails';
import type { BounceType, Email, Outcome } from '../../records/emails';
import { findProject } from '../../records/projects';
import { suppress } from '../../records/suppressions';
import type { Suppresses } from '../../rules/bounce-class';
import { isGivenUp, isRefusedAgain } from '../../rules/repeated-bounces';

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
