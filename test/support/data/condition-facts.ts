import type { Facts } from '../../../src/rules/conditions/evaluate';
import { factsNeeded } from '../../../src/rules/conditions/inventory';
import { occurrenceKey } from '../../../src/rules/conditions/types';
import type { Occurrence, Tree } from '../../../src/rules/conditions/types';
import { PROJECT, sampleEmails, sampleEvents, sampleMembers } from './condition-samples';

export const events = sampleEvents(1_200);
export const emails = sampleEmails(800);
export const members = sampleMembers(250);

interface Row {
  readonly projectId: string;
  readonly contactId: string;
  readonly testMode: boolean;
}

function liveByContact<T extends Row>(rows: readonly T[]): Readonly<Record<string, readonly T[]>> {
  const found: Record<string, T[]> = {};
  for (const row of rows) if (row.projectId === PROJECT && !row.testMode) (found[row.contactId] ??= []).push(row);
  return found;
}

const liveEvents = liveByContact(events);
const liveEmails = liveByContact(emails);

/** Returns the instants of the contact's activity, newest first, without a database. */
function instantsOf({ activity }: Occurrence, contactId: string): readonly Date[] {
  const found =
    activity.of === 'event'
      ? (liveEvents[contactId] ?? [])
          .filter((event) => event.name === activity.name && !(event.data && 'machine' in event.data && event.data.machine))
          .map((event) => event.createdAt)
      : (liveEmails[contactId] ?? [])
          .filter((email) => activity.campaignId === null || email.campaignId === activity.campaignId)
          .flatMap((email) => email[`${activity.status}At`] ?? []);
  return found.sort((a, b) => b.getTime() - a.getTime());
}

/** Returns the evaluator's facts about a contact, without a database. */
export function factsOf(tree: Tree, contactId: string): Facts {
  const needed = factsNeeded(tree);
  const occurrences = [...needed.events, ...needed.emails].flatMap((occurrence) => {
    const at = instantsOf(occurrence, contactId)[occurrence.nth - 1];
    return at ? [[occurrenceKey(occurrence), at] as const] : [];
  });
  const theirs = members.filter((member) => member.projectId === PROJECT && member.contactId === contactId);
  const memberOf = theirs.map(({ segmentId }) => segmentId).filter((segmentId) => needed.segments.includes(segmentId));
  return { occurrences: new Map(occurrences), memberOf: new Set(memberOf) };
}
