import { LRUCache } from 'lru-cache';
import { batched } from '../batch';
import { contactIdFor, findContacts } from '../contacts/service';
import type { Contact } from '../contacts/service';
import type { Context } from '../context';
import { findSuppressions } from '../suppressions/service';
import type { Suppression } from '../suppressions/service';

export interface Addressee {
  readonly contactId: string;
  readonly contact: Contact | null;
  readonly suppression: Suppression | null;
}

type Lookup = (email: string) => Promise<Addressee | undefined>;

/** One look-up per project: the requests of one turn of the event loop share its two queries. */
const lookups = new LRUCache<string, Lookup>({ max: 1_000 });

/** What the project knows of an address, read after the question was asked. */
export function addressee(ctx: Context, email: string): Promise<Addressee | undefined> {
  const { _id, idSalt } = ctx.project;
  let lookup = lookups.get(_id);
  if (!lookup) lookups.set(_id, (lookup = batched((emails) => lookUp({ _id, idSalt }, emails))));
  return lookup(email);
}

async function lookUp(
  project: { readonly _id: string; readonly idSalt: string },
  emails: readonly string[],
): Promise<ReadonlyMap<string, Addressee>> {
  const ids = new Map(emails.map((email) => [email, contactIdFor(project, email)]));
  const [contacts, suppressions] = await Promise.all([
    findContacts([...ids.values()]),
    findSuppressions(project._id, project.idSalt, emails),
  ]);
  return new Map(
    [...ids].map(([email, contactId]) => [
      email,
      { contactId, contact: contacts.get(contactId) ?? null, suppression: suppressions.get(email) ?? null },
    ]),
  );
}
