import type { Core } from '../../platform/core';
import { webhookPumpId } from '../../contracts/webhook';
import { wakeForgotten } from '../../platform/pumps';
import { overdueWebhookShards } from './queue';

/** Wakes the pumps of shards with overdue deliveries that no pump watches. Resolves to how many. */
export const wakeOverdueWebhooks = ({ processes }: Pick<Core, 'processes'>): Promise<number> =>
  wakeForgotten(webhookPumpId, overdueWebhookShards, (shard) => processes.wakeWebhooks(shard));
