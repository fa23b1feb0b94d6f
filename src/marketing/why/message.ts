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
import { answerOf, attemptsOf, judgedAt, asOfNow } from './answer';
import type { Judgement, Why, NodeAnswer } from './answer';
import type { RefusalDetail } from '../../rules/refusal';
import { getAutomation, getExecution, letsIn, listExecutions, loadGraph } from '../automations';
import type { ExecutionDetail, Step } from '../automations';
import type { Person } from './campaign';
import { matching } from './facts';

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
function whyMessage(email: AnsweredEmail): Why {
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

/** Answers what an automation did for a person at the latest enrollment, or why there was none. Throws `not_found`. */
export async function whyWorkflow(ctx: Context, person: Person, id: string): Promise<Why> {
  const { automation } = await getAutomation(ctx, id);
  const latest = await listExecutions(ctx, id, { contactId: person.contactId }, { limit: 1, after: null });
  const [execution] = latest.rows;
  if (execution) return enrolled(ctx, await getExecution(ctx, execution._id), automation);
  if (!person.contact) throw notFound('Contact');
  const now = new Date();
  const graph = automation.graphId === null ? null : await loadGraph(ctx.projectId, automation.graphId);
  const checks: readonly Check[] = [
    { check: 'workflow', active: automation.status === 'active' },
    { check: 'reentry', reentry: automation.reentry, allowed: await letsIn(automation, person.contact) },
    ...(await filterNow(ctx, person.contactId, graph, now)),
    { check: 'trigger', happened: false, event: automation.trigger },
  ];
  return { ...answerOf(asOfNow(now, checks), { stopped: () => 'not_enrolled', passed: 'not_enrolled' }), nodes: [] };
}

type Graph = ExecutionDetail['graph'];

const filterOf = (graph: Graph | null) => graph?.nodes.find((node) => node.type === 'trigger')?.config.filter ?? null;

/** Asks the filter of the trigger about the contact as it is now, without an event: what it asks about the data of one does not hold. */
async function filterNow(ctx: Context, contactId: string, graph: Graph | null, now: Date): Promise<readonly Check[]> {
  const filter = filterOf(graph);
  return filter ? [{ check: 'trigger_filter', ...(await matching(ctx, contactId, filter, now)) }] : [];
}

async function enrolled(ctx: Context, { execution, graph }: ExecutionDetail, { reentry }: { readonly reentry: string }): Promise<Why> {
  const checks: readonly Check[] = [
    { check: 'workflow', active: true },
    { check: 'reentry', reentry, allowed: true },
    ...(filterOf(graph) ? [{ check: 'trigger_filter' as const, matched: true }] : []),
  ];
  const steps = execution.steps.filter(({ type }) => type === 'send_email');
  const nodes = await Promise.all(steps.map((step) => nodeAnswer(ctx, step)));
  return { ...answerOf(judgedAt(execution.createdAt, checks), { stopped: () => 'enrolled', passed: 'enrolled' }), nodes };
}

async function nodeAnswer(ctx: Context, step: Step): Promise<NodeAnswer> {
  const { nodeId, startedAt: at, output } = step;
  const emailId = output?.['emailId'];
  const email = typeof emailId === 'string' ? await findEmail(ctx.projectId, emailId) : null;
  if (!email) return { nodeId, at, attempts: null, ...withoutMessage(step) };
  const { verdict, reason, attempts } = whyMessage(email);
  return { nodeId, at, verdict, reason, attempts };
}

function withoutMessage({ status, output }: Step): Pick<NodeAnswer, 'verdict' | 'reason' | 'detail'> {
  if (status === 'running' || status === 'waiting') return { verdict: 'pending', reason: null };
  if (status === 'failed') return { verdict: 'skipped', reason: 'send_failed' };
  const { skipped, detail } = (output ?? {}) as { readonly skipped?: string; readonly detail?: RefusalDetail };
  // Retention removes messages by their age.
  return { verdict: 'skipped', reason: skipped ?? 'not_kept', ...(detail && { detail }) };
}
