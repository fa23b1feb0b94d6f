import { EmailModel } from '../../../src/records/emails/model';
import type { Email } from '../../../src/records/emails/model';
import { toEmail } from '../../../src/records/emails/row';
import { newId } from '../../../src/platform/core/ids';

const DAY_MS = 86_400_000;

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** Returns the fields of a message that waits for its time. */
export const scheduled = (days = 1): Partial<Email> => ({ scheduledFor: inDays(days), dueAt: inDays(days) });

/** A live transactional message that waits to be sent, with changes. */
function row(projectId: string, change: Partial<Email>): Email {
  const _id = newId('em');
  return toEmail({
    _id,
    projectId,
    shard: 3,
    priority: 0,
    status: 'queued',
    source: 'transactional',
    type: 'transactional',
    testMode: false,
    to: 'ada@example.com',
    fromEmail: 'team@hello.test',
    subject: 'Hello Ada',
    inline: { subject: 'Hello {{firstName}}', html: '<p>Hi {{firstName}}</p>', text: 'Hi {{firstName}}', previewText: null },
    values: '{"firstName":"Ada"}',
    messageId: `<${_id}@hello.test>`,
    createdAt: new Date(),
    ...change,
  });
}

/** Puts messages of a project into the ledger, one for each set of changes. */
export async function storeEmails(projectId: string, ...changes: Partial<Email>[]): Promise<Email[]> {
  const rows = changes.map((change) => row(projectId, change));
  await EmailModel.collection.insertMany(rows);
  return rows;
}

/** Puts one message of a project into the ledger. */
export async function storeEmail(projectId: string, change: Partial<Email> = {}): Promise<Email> {
  const [email] = await storeEmails(projectId, change);
  return email as Email;
}
