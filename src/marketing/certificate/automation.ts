import type { Context } from '../../platform/core';
import { messageFacts, wasTried } from '../../records/emails';
import type { CampaignMessage } from '../../records/emails';
import { judgeMessage } from '../../rules/certificate';
import type { CertifiedRecipient } from '../../rules/certificate';
import { REPORTED_WITHIN_MS } from '../../sending/deliver';
import { executionsBetween, getAutomation } from '../automations';
import type { EnrolledExecution, Span, Step } from '../automations';
import type { CertificateSource } from './certificate';

/**
 * Resolves to what the `send_email` nodes of an automation did for the contacts that were enrolled in a span: one recipient for each node that a contact
 * reached. Throws `not_found`.
 */
export async function automationSource(ctx: Context, id: string, span: Span): Promise<CertificateSource> {
  await getAutomation(ctx, id);
  const isPast = span.to !== null && span.to.getTime() < Date.now();
  let underWay = 0;
  async function* pages(): AsyncGenerator<readonly CertifiedRecipient[]> {
    for await (const executions of executionsBetween(ctx, id, span)) {
      underWay += executions.filter(({ finishedAt }) => finishedAt === null).length;
      yield await certified(ctx, executions);
    }
  }
  // A contact that is under way may reach further nodes.
  return { group: 'nodeId', pages, isOver: () => isPast && underWay === 0 };
}

interface Reached {
  readonly execution: Pick<EnrolledExecution, '_id' | 'contactId'>;
  readonly step: Step;
  readonly emailId: string | null;
}

async function certified(ctx: Context, executions: readonly EnrolledExecution[]): Promise<readonly CertifiedRecipient[]> {
  const reached = executions.flatMap(nodesReached);
  const messages = await messageFacts(
    ctx.projectId,
    reached.flatMap(({ emailId }) => emailId ?? []),
  );
  return reached.map((one) => recipientOf(one, messages.get(one.emailId ?? '')));
}

const nodesReached = ({ steps, ...execution }: EnrolledExecution): readonly Reached[] =>
  steps.filter(({ type }) => type === 'send_email').map((step) => ({ execution, step, emailId: textOf(step.output?.['emailId']) }));

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function recipientOf({ execution, step, emailId }: Reached, message: CampaignMessage | undefined): CertifiedRecipient {
  const common = { recipientId: `${execution._id}/${step.nodeId}`, contactId: execution.contactId, group: step.nodeId };
  const without = { ...common, emailId, group: null, attempts: 0, sentAt: null, open: null };
  if (emailId === null) return { ...without, ...standingOf(step) };
  // Retention removes messages by their age.
  if (!message) return { ...without, group: step.nodeId, outcome: 'in_doubt', reason: 'not_kept' };
  if (!wasTried(message)) {
    return message.status === 'cancelled'
      ? { ...without, outcome: 'skipped', reason: 'cancelled' }
      : { ...without, outcome: 'pending', reason: null };
  }
  const { attempts, sentAt = null } = message;
  return { ...common, emailId, attempts, sentAt, ...judgeMessage(message, REPORTED_WITHIN_MS) };
}

/** Returns the outcome of a node without a message. */
function standingOf({ status, output }: Step): Pick<CertifiedRecipient, 'outcome' | 'reason'> {
  if (status === 'running' || status === 'waiting') return { outcome: 'pending', reason: null };
  if (status === 'failed') return { outcome: 'skipped', reason: 'send_failed' };
  return { outcome: 'skipped', reason: textOf(output?.['skipped']) };
}
