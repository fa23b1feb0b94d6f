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

/** Resolves to how many contacts a campaign to all contacts of each topic would reach, by the topic's id. Counts index entries; reads the suppressed contacts. */
export async function countTopics(projectId: string, topics: readonly Topic[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const add = ({ all, ...chose }: Counted, sign: 1 | -1): void => {
    for (const { _id, defaultSubscription } of topics) {
      const reached = defaultSubscription === 'in' ? all - (chose.out.get(_id) ?? 0) : (chose.in.get(_id) ?? 0);
      counts.set(_id, (counts.get(_id) ?? 0) + sign * reached);
    }
  };
  add(await countedByIndex(projectId, topics), 1);
  const ids = topics.map(({ _id }) => _id);
  for await (const suppressed of suppressionIds(projectId, SUPPRESSED_PAGE)) {
    add(await countedAmong(projectId, ids, { _id: { $in: suppressed.map((id) => siblingId('ctc', id)) } }), -1);
  }
  return new Map([...counts].map(([id, count]) => [id, Math.max(0, count)]));
}

const countOf = async (projectId: string, match: Readonly<Record<string, unknown>>): Promise<number> =>
  (await aggregateContacts<{ count: number }>(projectId, match, [{ $count: 'count' }]))[0]?.count ?? 0;

/** Counts those who did not go by the default, topic by topic: a query for all topics would have to read them. */
async function countedByIndex(projectId: string, topics: readonly Topic[]): Promise<Counted> {
  const counts = { all: await countOf(projectId, { subscribed: true }), out: new Map<string, number>(), in: new Map<string, number>() };
  for (const { _id, defaultSubscription } of topics) {
    const [chose, list] = defaultSubscription === 'in' ? ([counts.out, 'topicsOut'] as const) : ([counts.in, 'topicsIn'] as const);
    chose.set(_id, await countOf(projectId, { [`${list}.topicId`]: _id, subscribed: true }));
  }
  return counts;
}

/** Counts the same among contacts that are named, with a few queries for all topics. */
async function countedAmong(projectId: string, topicIds: readonly string[], match: Readonly<Record<string, unknown>>): Promise<Counted> {
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
  const [all, out, into] = await Promise.all([countOf(projectId, subscribed), chose('topicsOut'), chose('topicsIn')]);
  return { all, out, in: into };
}
