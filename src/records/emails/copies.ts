import { AGE_INDEX } from './indexes';
import { EmailModel } from './model';
import type { Email } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';

type Message = Pick<Email, '_id' | 'messageId' | 'createdAt' | 'copied'>;

/**
 * Finds the copies of messages that several people see together, by their Message-IDs, in the order in which the recipients were given. They were accepted at the same
 * instant, and share a Message-ID. Messages to one person are not in it.
 */
export async function findCopies(projectId: string, emails: readonly Message[]): Promise<ReadonlyMap<string, readonly Email[]>> {
  const copied = emails.filter((email) => email.copied);
  const copies = new Map<string, Email[]>();
  if (copied.length === 0) return copies;
  const rows = await EmailModel.find(
    {
      projectId,
      createdAt: { $in: copied.map(({ createdAt }) => createdAt) },
      messageId: { $in: copied.map(({ messageId }) => messageId) },
    },
    { inline: 0, values: 0 },
    { hint: AGE_INDEX },
  )
    .sort({ _id: 1 })
    .lean<EmailRow[]>();
  for (const row of rows.map(toEmail)) copies.set(row.messageId, [...(copies.get(row.messageId) ?? []), row]);
  return copies;
}
