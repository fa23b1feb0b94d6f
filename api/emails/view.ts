import type { z } from 'zod';
import type { Bodies, Email } from '../../src/records/emails';
import { emailSummary } from '../../src/records/emails';
import type { EmailSummary, Email as WireEmail } from './schemas';

export const toEmailSummary = (email: Email): z.input<typeof EmailSummary> => emailSummary(email);

export const toEmail = (email: Email, { html, text, isKept }: Bodies): z.input<typeof WireEmail> => ({
  ...toEmailSummary(email),
  body: html,
  text,
  ...(!isKept && { contentKept: false as const }),
});
