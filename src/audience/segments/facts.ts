import type { ClientSession } from 'mongoose';
import { chunks } from '../../platform/async';
import { aggregateNamed } from '../contacts';
import type { Contact } from '../contacts';
import { startsAsked } from '../../records/emails';
import { compileFacts } from '../../rules/conditions/compile';
import type { Facts } from '../../rules/conditions/evaluate';
import { factsNeeded } from '../../rules/conditions/inventory';
import type { FactsNeeded } from '../../rules/conditions/inventory';
import type { Tree } from '../../rules/conditions/types';

/** A pipeline may have 1,000 stages. */
const LOOKUPS = 200;

export interface JudgedBy {
  readonly contact: Contact;
  readonly occurrences: Facts['occurrences'];
  readonly memberOf: Facts['memberOf'];
}

/** Contacts with all that some trees ask of them, as the transaction sees it; those that do not exist are left out. */
export async function loadFacts(
  session: ClientSession,
  projectId: string,
  contactIds: readonly string[],
  trees: readonly Tree[],
): Promise<ReadonlyMap<string, JudgedBy>> {
  const found = new Map<string, JudgedBy>();
  for (const needed of portions(factsNeeded(...trees))) {
    const { stages, read } = compileFacts(needed, projectId, await startsAsked(projectId, needed));
    for (const contact of await aggregateNamed(session, projectId, contactIds, stages)) {
      const { occurrences, memberOf } = read(contact);
      const known = found.get(contact._id);
      found.set(contact._id, {
        contact,
        occurrences: new Map([...(known?.occurrences ?? []), ...occurrences]),
        memberOf: new Set([...(known?.memberOf ?? []), ...memberOf]),
      });
    }
  }
  return found;
}

/** At least one, which looks up nothing where nothing is asked. */
function portions({ events, emails, segments }: FactsNeeded): readonly FactsNeeded[] {
  const first = { events: events.slice(0, LOOKUPS), emails: [], segments };
  const [more, all] = [
    chunks(events.slice(LOOKUPS), LOOKUPS).map((part) => ({ events: part, emails: [], segments: [] })),
    chunks(emails, LOOKUPS).map((part) => ({ events: [], emails: part, segments: [] })),
  ];
  return [first, ...more, ...all];
}
