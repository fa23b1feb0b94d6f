import { LRUCache } from 'lru-cache';
import { batched } from '../../platform/async';
import { contactIdFor, findContacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { perCore } from '../../platform/core';
import type { Context } from '../../platform/core';
import { isSimulated } from '../../rules/simulator';
import { suppressionsOfContacts } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';

export interface Addressee {
  readonly contactId: string;
  readonly contact: Contact | null;
  /** Null for simulator addresses, to which suppressions do not apply. */
  readonly suppression: Suppression | null;
}

type Lookup = (email: string) => Promise<Addressee | undefined>;

/** One look-up per project: the requests of one turn of the event loop share its two queries. */
const lookupsOf = perCore(() => new LRUCache<string, Lookup>({ max: 1_000 }));

/** From so many addresses on, a request makes queries of its own. */
const MANY = 100;

/** Looks up contacts and suppressions of some addresses, as of no earlier than the call. */
export async function addressees(ctx: Context, emails: ReadonlySet<string>): Promise<ReadonlyMap<string, Addressee>> {
  if (emails.size >= MANY) return lookUp(whereabouts(ctx), [...emails]);
  const found = await Promise.all([...emails].map(async (email) => [email, await addressee(ctx, email)] as const));
  return new Map(found.flatMap(([email, known]) => (known ? [[email, known]] : [])));
}

/** Looks up the contact and the suppression of an address, as of no earlier than the call. */
export function addressee(ctx: Context, email: string): Promise<Addressee | undefined> {
  const where = whereabouts(ctx);
  const lookups = lookupsOf(ctx.core);
  let lookup = lookups.get(where._id);
  if (!lookup) lookups.set(where._id, (lookup = batched((emails) => lookUp(where, emails))));
  return lookup(email);
}

interface Whereabouts {
  readonly _id: string;
  readonly idSalt: string;
  readonly platformDomain: string;
}

const whereabouts = ({ core, project: { _id, idSalt } }: Context): Whereabouts => ({
  _id,
  idSalt,
  platformDomain: core.config.PLATFORM_DOMAIN,
});

async function lookUp(project: Whereabouts, emails: readonly string[]): Promise<ReadonlyMap<string, Addressee>> {
  const ids = emails.map((email) => contactIdFor(project, email));
  const [contacts, suppressions] = await Promise.all([findContacts(ids), suppressionsOfContacts(project._id, ids)]);
  const known = new Map<string, Addressee>();
  for (const [at, contactId] of ids.entries()) {
    const email = emails[at] as string;
    const suppression = isSimulated(email, project.platformDomain) ? null : (suppressions.get(contactId) ?? null);
    known.set(email, { contactId, contact: contacts.get(contactId) ?? null, suppression });
  }
  return known;
}
