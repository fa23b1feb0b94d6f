import type { ClientSession } from 'mongoose';
import { findContacts } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { moveWaiting } from '../../records/emails';
import type { Email, MailLimits } from '../../records/emails';
import { LimitBook } from '../../records/person-limits';
import type { Limited } from '../../records/person-limits';
import { afterWaiting } from '../../rules/person-limits';
import { Clocks, openingFrom } from '../../rules/send-windows';

/** Decisions about messages that may not go yet. */
interface Decided {
  /** Wait again, each until an instant. */
  readonly later: ReadonlyMap<string, Date>;
  readonly reached: readonly Email[];
}

/**
 * Counts messages in their limits from now on, as their first attempt follows, and leaves out those that may not go yet: a message that was late may have taken
 * it, or its window is closed by now. They wait again, or are stopped by `stop`. Asks nothing about messages without limits.
 */
export async function withinLimits(
  core: Core,
  due: readonly Email[],
  now: Date,
  stop: (email: Email) => Promise<void>,
): Promise<readonly Email[]> {
  const limited = due.filter(({ limits }) => limits !== undefined);
  if (limited.length === 0) return due;
  const left = new Set<string>();
  for (const projectId of new Set(limited.map((email) => email.projectId))) {
    const own = limited.filter((email) => email.projectId === projectId).sort((one, other) => +one.createdAt - +other.createdAt);
    const { later, reached } = await inTransaction((session) => decide(session, core, projectId, own, now));
    for (const email of reached) await stop(email);
    for (const id of [...later.keys(), ...reached.map(({ _id }) => _id)]) left.add(id);
  }
  return due.filter(({ _id }) => !left.has(_id));
}

async function decide(session: ClientSession, core: Core, projectId: string, emails: readonly Email[], now: Date): Promise<Decided> {
  const messages = emails.flatMap((email) => (email.limits ? [{ email, limited: limitedBy(email, email.limits, now) }] : []));
  const wanted = messages.map(({ limited }) => limited);
  const book = await LimitBook.read(session, projectId, wanted, now);
  const opensFor = await windowsOf(session, projectId, emails);
  const later = new Map<string, Date>();
  const reached: Email[] = [];
  for (const { email, limited } of messages) {
    if (book.isCommitted(limited, email._id)) continue;
    const opensFrom = opensFor(email);
    const opens = opensFrom(now);
    const mayGoNow = opens <= now && book.mayGoNow(limited, email._id);
    const sendTime = mayGoNow ? { at: now } : book.sendTime(limited, opens, { id: email._id, opensFrom });
    if ('reached' in sendTime) reached.push(email);
    else {
      const waits = sendTime.at > now;
      book.take(limited, { id: email._id, at: sendTime.at, ...(waits && { held: true as const }) });
      if (waits) later.set(email._id, sendTime.at);
    }
  }
  await book.write();
  if (later.size > 0) await moveWaiting(session, core, projectId, later);
  return { later, reached };
}

const AT_ANY_TIME = (at: Date): Date => at;

/** Resolves to how the next openings of messages are found: by the clocks of their recipients as they are now. */
async function windowsOf(
  session: ClientSession,
  projectId: string,
  emails: readonly Email[],
): Promise<(email: Email) => ReturnType<typeof openingFrom>> {
  const ids = emails.flatMap(({ contactId, limits }) => (limits?.windows && contactId ? [contactId] : []));
  const contacts = ids.length > 0 ? await findContacts(projectId, ids, session) : new Map<string, { readonly timezone: string | null }>();
  const clocks = new Clocks();
  return ({ contactId, limits }) =>
    limits?.windows ? openingFrom(limits.windows, contacts.get(contactId ?? '')?.timezone, clocks) : AT_ANY_TIME;
}

/** Returns the limits of a message with what is left of their waits. */
const limitedBy = ({ contactId }: Email, { of = contactId ?? '', since, rules }: MailLimits, now: Date): Limited => ({
  of,
  limits: afterWaiting(rules, since, now),
});
