import type { ClientSession } from 'mongoose';
import { newId } from '../../platform/core';
import type { Context } from '../../platform/core';
import { messageTo, prepareOwnMail } from '../accept';

/** A message of the platform to a person who may sign in. */
interface ConsoleMail {
  readonly to: string;
  readonly subject: string;
  /** One sentence: what the link is for. */
  readonly why: string;
  readonly button: string;
  /** Anyone who opens it acts for the reader. Readers of the mail log see it without its token. */
  readonly url: string;
  /** When the link ends, in words. */
  readonly ends: string;
}

const HTML = `<!doctype html>
<html lang="en"><body style="font:16px/1.5 sans-serif">
<p>{{why}}</p>
<p><a href="{{url}}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1b4fbd;color:#fff;text-decoration:none">{{button}}</a></p>
<p style="color:#666">{{ends}} If you did not expect this message, ignore it. Do not pass it on.</p>
</body></html>`;

const TEXT = `{{why}}

{{button}}: {{url}}

{{ends}} If you did not expect this message, ignore it. Do not pass it on.
`;

/**
 * Prepares a message from the project's own domain. Returns a function that stores it in the transaction of what it is about. Throws `send_failed` where the
 * project has no domain to send from.
 */
export async function prepareConsoleMail(
  ctx: Context,
  { to, subject, ...variables }: ConsoleMail,
): Promise<(session: ClientSession) => Promise<{ readonly isSent: boolean }>> {
  const store = await prepareOwnMail(
    ctx,
    messageTo(to, {
      subject: '{{subject}}',
      html: HTML,
      text: TEXT,
      templateId: null,
      type: 'transactional',
      variables: { subject, ...variables },
      from: null,
      fromName: 'Lettermill',
      replyTo: null,
      retainContent: false,
      // Link scanners would open a tracked link.
      tracking: { opens: false, clicks: false },
    }),
    newId('em'),
  );
  return async (session) => ({ isSent: 'emailId' in (await store(session)) });
}
