import { acceptedOutcome, failedOutcome, finalFailure, simulatedOutcome } from '../../../src/sending/deliver/outcome';
import type { Outcome } from '../../../src/records/emails/attempts';
import type { Email } from '../../../src/records/emails/model';
import { onTheWire } from './accepted-mail';

export const RULES = { route: 'smarthost', retrySeconds: [30], acceptedIsDelivered: true } as const;

const refusal = (enhanced: string | null, text = `${enhanced} No`) =>
  ({
    accepted: false,
    phase: 'rcpt',
    cause: 'reply',
    reply: { code: 550, enhanced, text },
    inDoubt: false,
    message: '',
  }) as const;

export type Judge = (email: Email, at: Date) => Outcome;

export const accepted: Judge = (email, at) => acceptedOutcome(email, '250 OK', RULES, at);
export const refused: Judge = (email, at) => failedOutcome(email, refusal('5.7.1'), RULES, at);
export const mailboxFull: Judge = (email, at) => failedOutcome(email, refusal('5.2.2'), RULES, at);
export const unknownUser: Judge = (email, at) => failedOutcome(email, refusal('5.1.1'), RULES, at);
/** Neither a code nor a word says why. */
export const refusedBarely: Judge = (email, at) => failedOutcome(email, refusal(null, 'No'), RULES, at);
export const failed: Judge = (email, at) => finalFailure(email, 'No', at);
export const simulated: Judge = (email, at) => simulatedOutcome(email, RULES, at);

/** Returns messages that are being sent, with their outcomes: none was accepted later than that. */
export async function finishedMessages(
  projectId: string,
  judge: Judge,
  changes: readonly Partial<Email>[],
  at = new Date(),
): Promise<readonly Outcome[]> {
  const emails = await onTheWire(
    projectId,
    changes.map((change) => ({ source: 'transactional', type: 'transactional', createdAt: at, ...change })),
  );
  return emails.map((email) => judge(email, at));
}
