import { LRUCache } from 'lru-cache';
import { perDatabase } from '../../platform/mongo';
import { DELIVERY_SHARDS, shardOf, shardOfMessage } from '../../contracts/delivery';

/** This many messages of a project in a second stay together, as far as one process accepts them: fewer than a worker sends. */
const TOGETHER = 20;
/**
 * Number of excess messages that go to one shard before the next: messages that are accepted together then cause one wake-up and one look,
 * not a dozen.
 */
const RUN = 16;

interface Flow {
  readonly second: number;
  count: number;
  shard: number;
}

const flowsOf = perDatabase(() => new LRUCache<string, Flow>({ max: 10_000 }));

/**
 * Returns the shard of a message that is accepted now. A project's first few in a second go to its own shard, whose pump is then awake for
 * the next one; further ones are spread evenly over all shards, a run of messages to each, so that all workers send them. Only speed
 * depends on the answer.
 */
export function spreadShard(projectId: string, emailId: string, now: Date): number {
  const second = Math.floor(now.getTime() / 1000);
  const flows = flowsOf();
  const known = flows.get(projectId);
  const flow = known?.second === second ? known : { second, count: 0, shard: shardOf(projectId) };
  if (flow !== known) flows.set(projectId, flow);
  const beyond = flow.count++ - TOGETHER;
  // Several processes begin at shards of their own.
  if (beyond === 0) flow.shard = shardOfMessage(emailId);
  else if (beyond > 0 && beyond % RUN === 0) flow.shard = (flow.shard + 1) % DELIVERY_SHARDS;
  return flow.shard;
}
