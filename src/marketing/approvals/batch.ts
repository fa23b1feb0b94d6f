import { htmlToText } from '../../message/template';
import { acceptSend, checkSend } from '../../sending/accept';
import type { CheckedSend, Draft, SendMessage, SendRequest } from '../../sending/accept';
import { UNVERSIONED, counted, hashOf } from './model';
import type { Kind } from './model';
import { unpacked } from './payload';

const FIRST = 5;
const EXCERPT = 2_000;

// A batch is sent as a whole or not at all: what was approved is what is sent.
const requestOf = (messages: readonly SendMessage[]): SendRequest => ({
  endpoint: 'batch',
  allOrNothing: true,
  messages,
  idempotency: null,
});

const firstOf = (messages: readonly SendMessage[]): Date | null =>
  messages.reduce<Date | null>((first, { sendAt }) => (sendAt && (!first || sendAt < first) ? sendAt : first), null);

/** Says what the first recipient of the first message will read, and how many other subjects there are. */
function shownOf({ drafts: [first, ...others], recipients }: CheckedSend) {
  const subjectOf = (draft: typeof first): string => draft?.recipients[0]?.subject ?? draft?.source.subject ?? '';
  const different = new Set(others.map(subjectOf));
  different.delete(subjectOf(first));
  const { html = null, text = null } = first?.source ?? {};
  return {
    subject: different.size === 0 ? subjectOf(first) : `${subjectOf(first)} (and ${counted(different.size, 'other subject')})`,
    first: recipients.slice(0, FIRST),
    excerpt: (text ?? htmlToText(html ?? '')).slice(0, EXCERPT),
  };
}

/** Returns how an approval of a batch is carried out. */
export function sendingBatch(content: Buffer | null): Kind {
  const messages = unpacked(content);
  const at = firstOf(messages);
  const referencesOf = (drafts: readonly Draft[]): string =>
    hashOf(
      content?.toString('base64'),
      drafts.map(({ contentHash, fromEmail, fromName, type }) => [contentHash, fromEmail, fromName, type]),
    );
  return {
    async describe(ctx) {
      const checked = await checkSend(ctx, requestOf(messages));
      const { drafts, recipients } = checked;
      const start = at ? `, the first ${messages.every(({ sendAt }) => sendAt) ? `at ${at.toISOString()}` : 'at once'}` : ' at once';
      return {
        summary: {
          text: `Sends ${counted(messages.length, 'message')} to ${counted(recipients.length, 'recipient')}${start}.`,
          subject: null,
          recipients: recipients.length,
        },
        basis: { version: UNVERSIONED, references: referencesOf(drafts) },
        shown: shownOf(checked),
        names: recipients,
      };
    },
    async perform(ctx, _recipients, keep) {
      await acceptSend(ctx, {
        ...requestOf(messages),
        keep: (session, drafts) => keep(session, { version: UNVERSIONED, references: referencesOf(drafts) }),
      });
    },
    at,
    audited: ['batch.send', null],
  };
}
