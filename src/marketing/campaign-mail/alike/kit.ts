import type { FedMail, SmtpReply } from '@lettermill/smtp';
import type { Written } from '../../../message/template';
import type { Email, EmailRow, Outcome } from '../../../records/emails';
import type { Addressed } from '../mail';

/** A message of a slice, as far as it differs from the others. */
export interface AlikeMessage {
  readonly addressed: Addressed;
  readonly contentId: string;
  readonly subject: string;
  /** JSON text of the values that it reads of its recipient. */
  readonly values: string;
  readonly messageId: string;
}

/** The bytes of a message once they are ready. */
export type Composed = Pick<FedMail, 'ready' | 'message' | 'writeTo'>;

/** The answer to a message that a server accepted. */
export interface Answer {
  readonly reply: SmtpReply;
  /** In milliseconds. */
  readonly at: number;
  /** Its transport, where there are several. */
  readonly over?: string | undefined;
}

/**
 * Creates what the messages of a slice become: bytes, and rows once they are accepted. `plain.ts` says what these are, by the functions that every other message
 * goes through. `fast.ts` makes the same from what the messages share, and can be removed with one line of `index.ts` (docs/decisions/0079).
 */
export interface AlikeKit {
  /** Composes a message and has it signed; reads the texts at once. */
  compose(message: AlikeMessage, rendered: Written): Composed;
  /** Returns the row of an accepted message, which holds its events. `outcomeOf`: what came of it. */
  row(message: AlikeMessage, answer: Answer, outcomeOf: () => Outcome): EmailRow;
}

/** Returns a message as the ledger has it while it is sent. */
export type EmailOf = (message: AlikeMessage) => Email;
