import type { ClientSession } from 'mongoose';
import { countReturned, refreshReputation } from '../../records/billing';
import { campaignFigures } from '../../records/campaign-figures';
import type { CampaignHappening } from '../../records/campaign-figures';
import type { Core } from '../../platform/core';
import { findFacts, isUnsettled, markBounced, markComplained, markDelivered } from '../../records/emails';
import type { Email, EmailFacts, LateBounce } from '../../records/emails';
import { isErasedAddress } from '../../platform/addresses';
import type { EmailEvent } from '../../records/events';
import { emit, isEmitted, undoDelivered } from '../../records/events';
import { inSequence, inTransaction } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import type { Project } from '../../records/projects';
import type { Suppresses } from '../../rules/bounce-class';
import { isSimulated } from '../../rules/simulator';
import { countMailIn, happeningsOf } from '../../records/stats';
import type { MailHappening } from '../../records/stats';
import { suppress } from '../../records/suppressions';
import { leave, noteWithdrawal } from '../tracking';
import { eventOf } from './outcome';
import { settleReturned, suppressByBounce } from './suppress-bounced';

export const REPORTED_WITHIN_MS = 14 * 86_400_000;

/** The meaning of a report about a sent message. */
export type Returned =
  | ({ readonly kind: 'bounced'; readonly suppresses: Suppresses } & LateBounce)
  | { readonly kind: 'delivered'; readonly response: string; readonly at: Date }
  | { readonly kind: 'complained'; readonly feedbackType: string; readonly at: Date };

type Work = (session: ClientSession, project: Project) => Promise<void>;

/**
 * Records a report about a live message, with its event, counters and suppression in one transaction. A repeated report changes and emits
 * nothing, and neither does a delivery report more than 14 days after the sending. Resolves to false while the message is still being sent,
 * when the caller must retry later. Reports about unknown messages, test mail and the simulator are ignored.
 *
 * | killed            | found                | happens                                                            |
 * |-------------------|----------------------|--------------------------------------------------------------------|
 * | before the commit | the message as it was | the reporter got no answer, and reports again                      |
 * | after it          | everything           | the same; nothing changes, what waits is cancelled, and the reputation is computed again |
 */
export async function recordReturned(core: Pick<Core, 'config' | 'log'>, emailId: string, returned: Returned): Promise<boolean> {
  const email = (await findFacts([emailId])).get(emailId);
  if (!email || email.testMode || isSimulated(email.to, core.config.PLATFORM_DOMAIN)) return true;
  if (await isUnsettled(email)) return false;
  const work = workOf(email, isErasedAddress(email.to) ? withoutWords(returned) : returned);
  await inSequence(`returned/${email.projectId}`, async () => {
    const project = await getProject(email.projectId);
    await inTransaction((session) => work(session, project));
    // Also for a report that comes again: the first may have been cut off here.
    if (returned.kind !== 'delivered') await settleReturned(core, project, email.to);
  });
  if (returned.kind !== 'delivered') await refreshReputation(email.projectId, new Date());
  return true;
}

/** Removes the texts of a mail system, which may name the recipient who was erased. */
function withoutWords(returned: Returned): Returned {
  if (returned.kind === 'bounced') return { ...returned, error: '' };
  return returned.kind === 'delivered' ? { ...returned, response: '' } : returned;
}

function workOf(email: EmailFacts, returned: Returned): Work {
  if (returned.kind === 'bounced') return (session, project) => bounce(session, project, email, returned);
  if (returned.kind === 'delivered') return (session) => deliver(session, email, returned.response, returned.at);
  return (session, project) => complain(session, project, email, returned.feedbackType, returned.at);
}

const sentSince = (at: Date): Date => new Date(at.getTime() - REPORTED_WITHIN_MS);

async function bounce(
  session: ClientSession,
  project: Project,
  message: EmailFacts,
  bounced: Extract<Returned, { kind: 'bounced' }>,
): Promise<void> {
  const { bounceType, error, at } = bounced;
  const email = await markBounced(session, message, sentSince(at), bounced);
  if (!email) return;
  const wasDelivered = email.deliveredAt !== null;
  const countedAt = wasDelivered
    ? ((await undoDelivered(session, { projectId: email.projectId, emailId: email._id })) ?? email.deliveredAt)
    : null;
  await countMailIn(session, countedAt ? [deliveryTakenBack(email, countedAt)] : []);
  await countInCampaign(session, email, { first: ['bounced'], ...(wasDelivered && { undone: ['delivered'] }) });
  const { counts } = await suppressByBounce(session, project, email, { ...bounced, source: 'dsn' });
  if (counts) await countReturned(session, project._id, 'bounced');
  await emitOnce(session, eventOf(email, at, 'email.bounced', { bounceType, reason: error, late: true }));
}

const deliveryTakenBack = ({ projectId, source, testMode }: Email, at: Date): MailHappening => ({
  projectId,
  source,
  testMode,
  counter: 'delivered',
  at,
  by: -1,
});

async function deliver(session: ClientSession, message: EmailFacts, response: string, at: Date): Promise<void> {
  const email = await markDelivered(session, message, sentSince(at), at);
  if (!email) return;
  await countInCampaign(session, email, { first: ['delivered'] });
  await emitOnce(session, eventOf(email, at, 'email.delivered', { response }));
}

async function complain(session: ClientSession, project: Project, message: EmailFacts, feedbackType: string, at: Date): Promise<void> {
  const email = await markComplained(session, message, at);
  if (!email) return;
  await countInCampaign(session, email, { first: ['complained'] });
  await suppress(session, project, { email: email.to, reason: 'complaint', source: 'arf', at });
  if ((await leave(session, project, email, at)).changed) await noteWithdrawal(session, project, email, 'arf', at);
  await countReturned(session, project._id, 'complained');
  await emitOnce(session, eventOf(email, at, 'email.complained', { feedbackType }));
}

async function countInCampaign(
  session: ClientSession,
  { _id: emailId, projectId, campaignId }: Email,
  counted: Pick<CampaignHappening, 'first' | 'undone'>,
): Promise<void> {
  if (campaignId !== null) await campaignFigures.only.count([{ projectId, campaignId, emailId, ...counted }], session);
}

/** Emits an event, and counts it unless a worker that was lost before it recorded the message did both already. */
async function emitOnce(session: ClientSession, event: EmailEvent): Promise<void> {
  if (await isEmitted(session, event, event.name)) return;
  await countMailIn(session, happeningsOf(event));
  await emit(session, [event]);
}
