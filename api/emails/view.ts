import type { z } from 'zod';
import type { Bodies, Email } from '../../src/records/emails';
import { emailSummary } from '../../src/records/emails';
import type { EmailSummary, Email as WireEmail } from './schemas';

export const toEmailSummary = (email: Email): z.input<typeof EmailSummary> => emailSummary(email);

/** Returns the message for a key that may send but not read. */
export const toEmailWithoutContent = (email: Email): z.input<typeof WireEmail> => ({
  ...toEmailSummary(email),
  body: '',
  text: '',
  contentHidden: true,
});

export const toEmail = (email: Email, { html, text, isKept }: Bodies): z.input<typeof WireEmail> => ({
  ...toEmailSummary(email),
  body: html,
  text,
  ...(!isKept && { contentKept: false as const }),
});
