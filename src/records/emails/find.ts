import { AGE_INDEX } from './indexes';
import { EmailModel } from './model';
import type { Email } from './model';
import { HEAVY, findMail, toEmail } from './row';
import type { EmailRow } from './row';
import type { RowEvents } from './history';

/** A message with the answer of the server that took it, where its row has that. */
export type AnsweredEmail = Email & Pick<RowEvents, 'response'>;

/** Finds a message of a project, with all that its row says; null where there is none. */
export async function findEmail(projectId: string, id: string): Promise<AnsweredEmail | null> {
  const row = await EmailModel.findOne({ _id: id, projectId }).lean<EmailRow & Pick<RowEvents, 'response'>>();
  return row && { ...toEmail(row), ...(row.response !== undefined && { response: row.response }) };
}

/** Finds messages by id, as far as they exist, without what no list shows and what can be large. */
export const findForSummaries = async (projectId: string, ids: readonly string[]): Promise<readonly Email[]> =>
  ids.length > 0 ? findMail({ _id: { $in: ids }, projectId }, { projection: HEAVY }) : [];

type Message = Pick<Email, '_id' | 'messageId' | 'createdAt' | 'copied'>;

/**
 * Finds the copies of messages that several people see together, by their Message-IDs, in the order in which the recipients were given. They were accepted at the same
 * instant, and share a Message-ID. Messages to one person are not in it.
 */
export async function findCopies(projectId: string, emails: readonly Message[]): Promise<ReadonlyMap<string, readonly Email[]>> {
  const copied = emails.filter((email) => email.copied);
  const copies = new Map<string, Email[]>();
  if (copied.length === 0) return copies;
  const filter = {
    projectId,
    createdAt: { $in: copied.map(({ createdAt }) => createdAt) },
    messageId: { $in: copied.map(({ messageId }) => messageId) },
  };
  const found = await findMail(filter, { projection: HEAVY, hint: AGE_INDEX, sort: { _id: 1 } });
  for (const copy of found) copies.set(copy.messageId, [...(copies.get(copy.messageId) ?? []), copy]);
  return copies;
}
