import type { ClientSession } from 'mongoose';
import type { ProjectFacts } from '../../platform/core';
import type { Email } from '../../records/emails';
import { otherOutcomes } from '../../records/emails';
import { isGivenUp } from '../../rules/soft-bounces';
import { suppress } from '../../records/suppressions';

/** Suppresses an address with repeated soft bounces (docs/delivery.md, Refusals), in the transaction of a soft bounce. */
export async function listAfterSoftBounces(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  email: Pick<Email, '_id' | 'projectId' | 'to'>,
  at: Date,
): Promise<void> {
  const outcomes = [...(await otherOutcomes(session, email, project.idSalt)), { kind: 'soft', at } as const];
  if (isGivenUp(outcomes)) await suppress(session, project, { email: email.to, reason: 'hard_bounce', source: 'smtp', at });
}
