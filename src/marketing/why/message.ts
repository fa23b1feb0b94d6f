import { contactIdFor } from '../../audience/contacts';
import { domainOf } from '../../platform/addresses';
import { notFound } from '../../platform/core';
import type { Context } from '../../platform/core';
import { findEmail, wasTried } from '../../records/emails';
import type { AnsweredEmail } from '../../records/emails';
import { judgeMessage } from '../../rules/certificate';
import { passing, recipientChecks, recordedFacts } from '../../rules/why';
import type { Check, RecipientFacts } from '../../rules/why';
import { REPORTED_WITHIN_MS } from '../../sending/deliver';
import { answerOf, attemptsOf, judgedAt } from './answer';
import type { Judgement, Why } from './answer';

const UNVERIFIED = /^unverified_domain\b/;
const OF_RECIPIENT: ReadonlySet<string | null> = new Set(['suppressed', 'unsubscribed']);

/** Returns what was judged of a message after it had been accepted. */
export function messageChecks({ status, error, fromEmail, campaignId }: AnsweredEmail): readonly Judgement[] {
  const domain: Check = { check: 'domain', domain: domainOf(fromEmail), verified: !UNVERIFIED.test(error ?? '') };
  const isCancelled = status === 'cancelled' && campaignId !== null;
  return judgedAt(null, [...(isCancelled ? [{ check: 'campaign' as const, cancelled: true }] : []), domain]);
}

/** Answers why a person got a message of the ledger, or did not. Throws `not_found`, also for a message to somebody else. */
export async function whyEmail(ctx: Context, contactId: string, id: string): Promise<Why> {
  const email = await findEmail(ctx.projectId, id);
  if (!email || email.source === 'inbound' || !isTo(ctx, email, contactId)) throw notFound('Email');
  return whyMessage(email);
}

const isTo = ({ project }: Context, { contactId, to }: AnsweredEmail, asked: string): boolean =>
  contactId === asked || contactIdFor(project, to) === asked;

/** Answers by the row of a message. It was accepted, so that everything that is asked before was passed. */
export function whyMessage(email: AnsweredEmail): Why {
  const accepted = judgedAt(email.createdAt, recipientChecks(factsOf(email, email.createdAt)));
  if (wasTried(email)) return tried(email, accepted);
  if (email.status === 'cancelled') return leftOut(email, accepted);
  return { ...answerOf(accepted, { stopped: () => 'pending', passed: 'pending' }), reason: email.scheduledFor ? 'scheduled' : null };
}

function tried(email: AnsweredEmail, accepted: readonly Judgement[]): Why {
  const { outcome, reason } = judgeMessage(email, REPORTED_WITHIN_MS);
  const judgements = [...accepted, ...messageChecks(email)];
  const why = answerOf(judgements, { stopped: () => outcome, passed: outcome, attempts: attemptsOf(email) });
  return { ...why, reason: why.reason ?? reason };
}

/** Answers for a message that was judged again just before it would have gone out, or that was cancelled. */
function leftOut({ error, topic, createdAt }: AnsweredEmail, accepted: readonly Judgement[]): Why {
  const facts = recordedFacts({ reason: error ?? '' }, null, topic?.topicId ?? null, createdAt);
  const judgements = OF_RECIPIENT.has(error) ? judgedAt(null, recipientChecks(facts)) : accepted;
  const why = answerOf(judgements, { stopped: () => 'skipped', passed: 'skipped' });
  return { ...why, reason: why.reason ?? error ?? 'cancelled' };
}

const factsOf = ({ type, isTrial, topic }: AnsweredEmail, at: Date): RecipientFacts =>
  passing(type === 'marketing' && isTrial !== true, topic?.topicId ?? null, at);
