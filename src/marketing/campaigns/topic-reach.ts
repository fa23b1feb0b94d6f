import { aggregateContacts } from '../../audience/contacts';
import type { Topic } from '../../audience/topics';
import { siblingId } from '../../platform/core';
import { suppressionIds } from '../../records/suppressions';
import { SUPPRESSED_PAGE } from './audience';

/** Counts of some contacts: those who are subscribed, and how many of them left or chose each topic. */
interface Counted {
  readonly all: number;
  readonly out: ReadonlyMap<string, number>;
  readonly in: ReadonlyMap<string, number>;
}

/**
 * Resolves to how many contacts a campaign to all contacts of each topic would reach, by the topic's id. The number of queries does not depend on the number of
 * topics; they read the contacts who chose.
 */
export async function countTopics(projectId: string, topics: readonly Topic[]): Promise<ReadonlyMap<string, number>> {
  const ids = topics.map(({ _id }) => _id);
  const counts = new Map<string, number>();
  const add = ({ all, ...chose }: Counted, sign: 1 | -1): void => {
    for (const { _id, defaultSubscription } of topics) {
      const reached = defaultSubscription === 'in' ? all - (chose.out.get(_id) ?? 0) : (chose.in.get(_id) ?? 0);
      counts.set(_id, (counts.get(_id) ?? 0) + sign * reached);
    }
  };
  add(await counted(projectId, ids, {}), 1);
  for await (const suppressed of suppressionIds(projectId, SUPPRESSED_PAGE)) {
    add(await counted(projectId, ids, { _id: { $in: suppressed.map((id) => siblingId('ctc', id)) } }), -1);
  }
  return new Map([...counts].map(([id, count]) => [id, Math.max(0, count)]));
}

async function counted(projectId: string, topicIds: readonly string[], match: Readonly<Record<string, unknown>>): Promise<Counted> {
  const subscribed = { ...match, subscribed: true };
  const chose = async (list: 'topicsIn' | 'topicsOut'): Promise<ReadonlyMap<string, number>> => {
    const topicId = `${list}.topicId`;
    const rows = await aggregateContacts<{ _id: string; count: number }>(projectId, { ...subscribed, [topicId]: { $in: [...topicIds] } }, [
      { $project: { _id: 0, topicId: `$${topicId}` } },
      { $unwind: '$topicId' },
      { $group: { _id: '$topicId', count: { $sum: 1 } } },
    ]);
    return new Map(rows.map(({ _id, count }) => [_id, count]));
  };
  const [all, out, into] = await Promise.all([
    aggregateContacts<{ count: number }>(projectId, subscribed, [{ $count: 'count' }]),
    chose('topicsOut'),
    chose('topicsIn'),
  ]);
  return { all: all[0]?.count ?? 0, out, in: into };
}
