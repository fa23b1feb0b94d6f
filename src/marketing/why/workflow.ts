import { notFound } from '../../platform/core';
import type { Context } from '../../platform/core';
import { findEmail } from '../../records/emails';
import type { RefusalDetail } from '../../rules/refusal';
import type { Check } from '../../rules/why';
import { getAutomation, getExecution, letsIn, listExecutions, loadGraph } from '../automations';
import type { ExecutionDetail, Step } from '../automations';
import { answerOf, asOfNow, judgedAt } from './answer';
import type { NodeAnswer, Why } from './answer';
import type { Person } from './campaign';
import { matching } from './facts';
import { whyMessage } from './message';

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
