import type { ClientSession } from 'mongoose';
import { domainOf } from '../../platform/addresses';
import { sendFailed } from '../../platform/core';
import { meetReferences } from '../../records/events';
import { sendersIn, unverifiedText } from '../domains';
import type { Senders } from '../domains';
import type { Pending } from './commit';
import type { Draft, Result } from './types';

/**
 * Fails scheduled messages of a group whose domains were removed since they were looked up: of removing a domain and accepting what is to be sent from it
 * later, one is refused. Mail that goes out at once finds out at its attempt.
 */
export async function withSendersAsOfNow(session: ClientSession, group: readonly Pending[]): Promise<readonly Pending[]> {
  const [projectId] = group.filter(hasScheduled).map(({ ctx }) => ctx.projectId);
  if (projectId === undefined) return group;
  await meetReferences(session, projectId);
  const senders = await sendersIn(session, projectId);
  return group.map((pending) =>
    hasScheduled(pending) ? { ...pending, drafts: pending.drafts.map((each) => checked(each, senders)) } : pending,
  );
}

/** Test mail needs no domain. */
const hasScheduled = ({ ctx, drafts }: Pending): boolean =>
  !ctx.testMode && drafts.some((each) => 'ok' in each && each.ok.message.sendAt !== null);

function checked(each: Result<Draft>, senders: Senders): Result<Draft> {
  if ('failed' in each) return each;
  const domain = domainOf(each.ok.fromEmail);
  return senders.has(domain) ? each : { failed: sendFailed('unverified_domain', unverifiedText(domain, senders)) };
}
