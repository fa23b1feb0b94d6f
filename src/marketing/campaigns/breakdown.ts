import { aggregateContacts } from '../../audience/contacts';
import { siblingId } from '../../platform/core';
import { SUPPRESSION_REASONS, suppressionIds, suppressionsOfContacts } from '../../records/suppressions';
import type { SuppressionReason } from '../../records/suppressions';
import { isInTopic } from '../../rules/topics';
import type { TopicChoices } from '../../rules/topics';
import { SUPPRESSED_PAGE, audienceSelection, candidates, countSelected, inTopicCount } from './audience';
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

/** No condition beyond those of the audience. */
const EVERYBODY = {};

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
    const { stages: selecting } = await audienceSelection(projectId, audience, at, {});
    const stages = [...selecting, { $project: { subscribed: 1, topicsIn: 1, topicsOut: 1 } }];
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
  const [subscribed, unsubscribed] = [
    await audienceSelection(projectId, audience, at),
    await audienceSelection(projectId, audience, at, { subscribed: false }),
  ];
  const count = (match: Readonly<Record<string, unknown>>): Promise<number> => countSelected(projectId, subscribed, match);
  const whole = count(EVERYBODY);
  const countIn = inTopicCount(audience.topic, (match) => (match === EVERYBODY ? whole : count(match)));
  const [all, out, into] = await Promise.all([whole, countSelected(projectId, unsubscribed, EVERYBODY), countIn(EVERYBODY)]);
  const tally = { ...nothing(), named: all + out, unsubscribed: out };
  let inTopic = into;
  for (const reason of SUPPRESSION_REASONS) {
    for await (const ids of suppressionIds(projectId, SUPPRESSED_PAGE, reason)) {
      const match = { _id: { $in: ids.map((id) => siblingId('ctc', id)) } };
      tally.suppressed[reason] += await count(match);
      if (audience.topic) inTopic -= await countIn(match);
    }
  }
  if (!audience.topic) return tally;
  const suppressed = Object.values(tally.suppressed).reduce((sum, each) => sum + each, 0);
  return { ...tally, topic: all - suppressed - inTopic };
}
