import { automationMailId, prepareAutomationMail, takeUnits } from '../../sending/accept';
import type { AutomationMail } from '../../sending/accept';
import type { InlineMessage, StoredMessage } from '../../rules/automation/nodes/send-email';
import type { Todo } from '../../contracts/automation';
import type { NodeRun, Done } from './act';
import type { Execution } from './execution-model';
import { variablesOf } from './texts';

const THROTTLED_MS = 10_000;

/**
 * Runs a `send_email` node: stores its message in the ledger together with its step, or the reason in the step when it is skipped. Waits while the project's
 * throttled rate has no room.
 */
export async function sendMessage(
  run: NodeRun,
  config: StoredMessage | InlineMessage,
): Promise<Done | Extract<Todo, { readonly next: 'wait' }>> {
  const { ctx, contact, execution, automation, nodeId, now } = run;
  if (!ctx.testMode && (await takeUnits(ctx.core.config, ctx.project, 1)) === 0) {
    return { next: 'wait', nodeId, type: 'send_email', until: now.getTime() + THROTTLED_MS, cause: 'throttled' };
  }
  const mail = { ...mailOf(config, variablesOf(automation, run, config.variables)), windows: automation.windows ?? null };
  const accept = await prepareAutomationMail(ctx, contact, mail, {
    automationId: execution.automationId,
    executionId: execution._id,
    nodeId,
    enrolledAt: execution.createdAt,
    depth: execution.depth + 1,
  });
  return async (session) => {
    const accepted = await accept(session);
    if ('skipped' in accepted) return { kind: 'skipped', reason: accepted.skipped, ...(accepted.detail && { detail: accepted.detail }) };
    return { kind: 'done', output: { emailId: accepted.emailId } };
  };
}

/** Returns the ids of the messages that an execution's nodes send. */
export const sentIn =
  ({ _id: executionId, createdAt: enrolledAt }: Pick<Execution, '_id' | 'createdAt'>): ((nodeId: string) => string) =>
  (nodeId) =>
    automationMailId({ executionId, nodeId, enrolledAt });

/** Returns the mail for a node's configuration, with the values of its placeholders. */
export function mailOf(config: StoredMessage | InlineMessage, variables: AutomationMail['variables']): AutomationMail {
  if ('templateId' in config) {
    const { templateId, topicId = null, sendOnce = null } = config;
    return { sendOnce, templateId, topicId, variables, subject: null, html: null, from: null, fromName: null, replyTo: null, type: null };
  }
  const { subject, body, fromEmail, fromName = null, previewText = null, replyTo = null, type, topicId = null, sendOnce = null } = config;
  return {
    sendOnce,
    templateId: null,
    topicId,
    variables,
    subject,
    html: body,
    previewText,
    from: fromEmail,
    fromName,
    replyTo,
    type,
    ...(config.variants && { variants: config.variants }),
  };
}
