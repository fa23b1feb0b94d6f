import type { Context } from '../context';
import type { StartIntent } from '../contracts/processes';
import { LISTED_IDS, changedSignal, minuteOf, scheduledSendId } from '../contracts/scheduled-send';
import type { Email } from '../emails/model';

/** One workflow for all that a project sends within a minute: the first message starts it, those that follow have it look again. */
export function scheduledSends(ctx: Context, emails: readonly Email[]): readonly StartIntent[] {
  const byMinute = new Map<number, Email[]>();
  for (const email of emails) {
    if (!email.scheduledFor) continue;
    const minute = minuteOf(email.scheduledFor).getTime();
    const group = byMinute.get(minute);
    if (group) group.push(email);
    else byMinute.set(minute, [email]);
  }
  return [...byMinute].map(([at, group]) => {
    const minute = new Date(at);
    return {
      kind: 'start',
      workflow: 'scheduledSend',
      workflowId: scheduledSendId(ctx.projectId, minute),
      input: { sendAt: minute.toISOString(), shards: [], projectId: ctx.projectId },
      summary: `Mail of the minute from ${minute.toISOString()} on`,
      attributes: { projectId: ctx.projectId, emailIds: group.slice(0, LISTED_IDS).map(({ _id }) => _id) },
      again: true,
      orSignal: changedSignal.name,
    };
  });
}
