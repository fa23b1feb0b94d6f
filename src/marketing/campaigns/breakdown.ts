import { aggregateContacts } from '../../audience/contacts';
import { siblingId } from '../../platform/core';
import { SUPPRESSION_REASONS, suppressionIds, suppressionsOfContacts } from '../../records/suppressions';
import type { SuppressionReason } from '../../records/suppressions';
import { isInTopic } from '../../rules/topics';
import type { TopicChoices } from '../../rules/topics';
import { SUPPRESSED_PAGE, audienceStages, candidates, inTopicCount } from './audience';
import type { Audience, Project } from './audience';

/** Counts of an audience: all contacts in it, and the ones that a send would leave out, each under one reason. */
export interface AudienceBreakdown {
  readonly named: number;
  readonly unsubscribed: number;
  readonly suppressed: Readonly<Record<SuppressionReason, number>>;
  /** Contacts that are not in the topic; absent without a topic. */
  readonly topic?: number;
}

type Tally = { named: number; unsubscribed: number; suppressed: Record<SuppressionReason, number>; topic?: number };

const nothing = (): Tally => ({ named: 0, unsubscribed: 0, suppressed: { hard_bounce: 0, complaint: 0, unsubscribe: 0, manual: 0 } });

/** Counts the contacts of an audience at `at`, and those left out by reason; the rest equals `countAudience`. */
export const breakDownAudience = (project: Project, audience: Audience, at: Date): Promise<AudienceBreakdown> =>
  audience.audience === 'segment' ? byPages(project, audience, at) : byCounts(project, audience, at);

interface Named extends TopicChoices {
  readonly _id: string;
  readonly subscribed: boolean;
}

async function byPages({ _id: projectId }: Project, audience: Audience, at: Date): Promise<AudienceBreakdown> {
  const tally = nothing();
  const { topic } = audience;
  let outOfTopic = 0;
  for (let after: string | null = ''; after !== null;) {
    const { match, next }: Awaited<ReturnType<typeof candidates>> = await candidates(projectId, audience, after);
    const stages = [...(await audienceStages(projectId, audience, at, {})), { $project: { subscribed: 1, topicsIn: 1, topicsOut: 1 } }];
    const found = await aggregateContacts<Named>(projectId, { _id: match }, stages);
    const subscribed = found.filter((contact) => contact.subscribed);
    tally.named += found.length;
    tally.unsubscribed += found.length - subscribed.length;
    const ids = subscribed.map(({ _id }) => _id);
    const suppressions = await suppressionsOfContacts(projectId, ids);
    for (const { reason } of suppressions.values()) tally.suppressed[reason] += 1;
    if (topic) outOfTopic += subscribed.filter((contact) => !suppressions.has(contact._id) && !isInTopic(topic, contact)).length;
    after = next;
  }
  return topic ? { ...tally, topic: outOfTopic } : tally;
}

async function byCounts({ _id: projectId }: Project, audience: Audience, at: Date): Promise<AudienceBreakdown> {
  const stages = [...(await audienceStages(projectId, audience, at, {})), { $group: { _id: '$subscribed', count: { $sum: 1 } } }];
  const count = async (match: Readonly<Record<string, unknown>>): Promise<Readonly<Record<'in' | 'out', number>>> => {
    const sides = await aggregateContacts<{ _id: boolean; count: number }>(projectId, match, stages);
    const of = (subscribed: boolean): number => sides.find(({ _id }) => _id === subscribed)?.count ?? 0;
    return { in: of(true), out: of(false) };
  };
  const tally = nothing();
  const all = await count({});
  tally.named = all.in + all.out;
  tally.unsubscribed = all.out;
  const countIn = inTopicCount(audience.topic, async (match) => (await count(match)).in);
  let inTopic = audience.topic ? await countIn({}) : 0;
  for (const reason of SUPPRESSION_REASONS) {
    for await (const ids of suppressionIds(projectId, SUPPRESSED_PAGE, reason)) {
      const match = { _id: { $in: ids.map((id) => siblingId('ctc', id)) }, subscribed: true };
      tally.suppressed[reason] += (await count(match)).in;
      if (audience.topic) inTopic -= await countIn(match);
    }
  }
  if (!audience.topic) return tally;
  const suppressed = Object.values(tally.suppressed).reduce((sum, each) => sum + each, 0);
  return { ...tally, topic: all.in - suppressed - inTopic };
}
