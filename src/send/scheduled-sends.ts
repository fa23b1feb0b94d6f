import type { Context } from '../context';
import type { StartIntent } from '../contracts/processes';
import { scheduledSendId } from '../contracts/scheduled-send';
import type { Email } from '../emails/model';

/** One workflow for all messages of the request that go out at the same instant. */
export function scheduledSends(ctx: Context, emails: readonly Email[]): readonly StartIntent[] {
  const byInstant = new Map<string, Email[]>();
  for (const email of emails) {
    if (!email.scheduledFor) continue;
    const instant = email.scheduledFor.toISOString();
    byInstant.set(instant, [...(byInstant.get(instant) ?? []), email]);
  }
  return [...byInstant].map(([sendAt, group], index) => ({
    kind: 'start',
    workflow: 'scheduledSend',
    workflowId: scheduledSendId(group.length === 1 && group[0] ? group[0]._id : index === 0 ? ctx.requestId : `${ctx.requestId}-${index}`),
    input: { sendAt, shards: [...new Set(group.map(({ shard }) => shard))] },
    summary: `Goes out at ${sendAt}`,
    attributes: { projectId: ctx.projectId },
  }));
}
