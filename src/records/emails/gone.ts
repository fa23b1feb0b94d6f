import type { AttachmentRef, Email } from './model';

/** Returns what is left of attachments whose bytes are not kept. */
const withoutBytes = (attachments: readonly AttachmentRef[]): readonly AttachmentRef[] =>
  attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size, blobId: null }));

/** Returns what changes in a message that is over and whose sender wants nothing kept of what it says; null where there is nothing to change. */
export function contentGoing({ content, attachments }: Pick<Email, 'content' | 'attachments'>): Partial<Email> | null {
  if (content !== 'passing') return null;
  return {
    ...{ subject: '', inline: null, values: '{}', headers: null, content: 'gone' },
    ...(attachments.length > 0 && { attachments: withoutBytes(attachments) }),
  };
}
