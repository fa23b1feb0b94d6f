import { eraseAttachments } from './erase';
import type { MailTrace } from './erase';
import { EmailModel } from './model';
import { filtersOf } from './mail-to-recipients';

/** Stands for the addresses of a message whose sender is gone (RFC 2606 2). */
const ERASED = 'erased@erased.invalid';

/** Members with the sender's words, and the address, which may hold a token that identifies the person. */
const BLANK = {
  contactId: null,
  to: ERASED,
  fromEmail: ERASED,
  subject: '',
  inline: { $literal: { subject: '', html: '', text: '', previewText: null } },
  messageId: { $concat: ['<', '$_id', '@erased.invalid>'] },
};

/**
 * Removes deleted contacts from their messages accepted up to `before`. Of mail that such a contact wrote, only the fact that something came is
 * left.
 */
export async function detachEmails(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before } };
  await eraseReceivedAttachments(filter, before);
  await EmailModel.collection.updateMany({ ...filter, source: 'inbound' }, [
    { $set: BLANK },
    { $unset: ['fromName', 'replyTo', 'attachments', 'received'] },
  ]);
  await EmailModel.collection.updateMany(filter, { $set: { contactId: null } });
  for (const byId of await filtersOf({ projectId, contactIds })) {
    await EmailModel.collection.updateMany(
      { ...byId, 'recipient.contactId': { $in: [...contactIds] }, createdAt: { $lte: before } },
      { $set: { 'recipient.contactId': null } },
    );
  }
}

interface OfContacts {
  readonly projectId: string;
  readonly contactId: { readonly $in: string[] };
  readonly createdAt: { readonly $lte: Date };
}

/** Erases attachments before the messages that name them, so that a crash in between leaves those to be found again. */
async function eraseReceivedAttachments(filter: OfContacts, before: Date): Promise<void> {
  const rows = EmailModel.collection.find<MailTrace & { readonly contactId: string }>(
    { ...filter, source: 'inbound', 'attachments.blobId': { $gt: '' } },
    { projection: { attachments: 1, contactId: 1 } },
  );
  for await (const { contactId, ...trace } of rows) {
    await eraseAttachments({ projectId: filter.projectId, contactId, upTo: before }, [trace]);
  }
}
