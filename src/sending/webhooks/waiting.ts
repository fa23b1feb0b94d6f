import { WEBHOOK_SHARDS } from '../../contracts/webhook';
import { WebhookModel } from './model';
import type { Webhook } from './model';

const webhooks = () => WebhookModel.collection;

/** Resolves to the earliest `dueAt` of all endpoints. */
export async function longestDue(maxTimeMS: number): Promise<Date | null> {
  const heads = await Promise.all(
    Array.from({ length: WEBHOOK_SHARDS }, (_, shard) =>
      webhooks().findOne<Pick<Webhook, 'dueAt'>>(
        { shard, dueAt: { $gt: new Date(0) } },
        { projection: { dueAt: 1 }, sort: { dueAt: 1 }, maxTimeMS },
      ),
    ),
  );
  const known = heads.flatMap((head) => (head?.dueAt ? [head.dueAt.getTime()] : []));
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}

/** Whether an endpoint is called, and why not. */
export type EndpointState = 'on' | 'failing' | 'off' | 'switched_off_failing' | 'switched_off_gone';

/** Counts endpoints that are on, on and failing, off, and switched off because of their answers. */
export async function endpointStates(maxTimeMS: number): Promise<Readonly<Record<EndpointState, number>>> {
  const rows = await webhooks()
    .aggregate<{ _id: { enabled: boolean; failing: boolean; reason: string | null }; count: number }>(
      [
        {
          $group: {
            _id: { enabled: '$enabled', failing: { $gt: ['$failures', 0] }, reason: '$disabledReason' },
            count: { $sum: 1 },
          },
        },
      ],
      { maxTimeMS },
    )
    .toArray();
  const counts = { on: 0, failing: 0, off: 0, switched_off_failing: 0, switched_off_gone: 0 };
  for (const { _id, count } of rows) counts[stateOf(_id)] += count;
  return counts;
}

function stateOf({ enabled, failing, reason }: { enabled: boolean; failing: boolean; reason: string | null }): EndpointState {
  if (enabled) return failing ? 'failing' : 'on';
  return reason === 'failing' || reason === 'gone' ? `switched_off_${reason}` : 'off';
}
