import { factsNeeded } from '../conditions/inventory';
import type { Facts } from '../conditions/evaluate';
import { occurrenceKey } from '../conditions/types';
import type { Occurrence, Tree } from '../conditions/types';
import { senderOf } from './message-events';
import type { World } from './rehearsal';

/** Returns what a rehearsal's conditions are judged by. Its messages count as sent and delivered at once; opens and the like come from the script. */
export function factsIn(world: World<unknown>, tree: Tree): Facts {
  const { events, emails } = factsNeeded(tree);
  const found = [...events, ...emails].flatMap((occurrence) => {
    const at = instantsOf(world, occurrence).at(-occurrence.nth);
    return at ? [[occurrenceKey(occurrence), at] as const] : [];
  });
  return { occurrences: new Map(found), memberOf: world.segmentIds, trigger: world.trigger, ...(world.items && { items: world.items }) };
}

/** Returns when it happened, the latest last. */
export function instantsOf({ events, emails }: World<unknown>, { activity }: Pick<Occurrence, 'activity'>): readonly Date[] {
  if (activity.of === 'event') return events.filter(({ name }) => name === activity.name).map(({ at }) => at);
  const { status, campaignId, nodeId } = activity;
  if (campaignId !== null) return [];
  if (status === 'sent' || status === 'delivered') {
    return emails.filter((email) => email.skipped === undefined && (nodeId ?? email.nodeId) === email.nodeId).map(({ at }) => at);
  }
  const named = events.filter(({ name }) => name === `email.${status}`);
  if (nodeId === undefined) return named.map(({ at }) => at);
  // A message counts once, by the first of its events.
  return named.filter((event) => senderOf(event, emails) === nodeId).flatMap(({ at }, index) => (index === 0 ? [at] : []));
}
