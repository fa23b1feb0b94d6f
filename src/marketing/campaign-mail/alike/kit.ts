import type { FedMail, SmtpReply } from '@lettermill/smtp';
import type { Written } from '../../../message/template';
import type { Email, EmailRow, Outcome } from '../../../records/emails';
import type { Reader } from '../mail';
import type { DkimKey } from '../../../message/dkim';
import type { Core } from '../../../platform/core';
import { holding, toRow } from '../../../records/emails';
import { signedMail } from '../../../sending/deliver';

/** A message of a slice, as far as it differs from the others. */
export interface AlikeMessage {
  readonly addressed: Reader;
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
 * Creates what the messages of a slice become: bytes, and rows once they are accepted. `PlainKit` says what these are, by the functions that every other message
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

/** Composes each message, and creates each row, on its own. */
export class PlainKit implements AlikeKit {
  constructor(
    private readonly core: Core,
    private readonly dkim: DkimKey,
    private readonly emailOf: EmailOf,
  ) {}

  compose(message: AlikeMessage, rendered: Written): Composed {
    const made = signedMail(this.core, this.emailOf(message), rendered, this.dkim);
    let text: string | null = null;
    const composed: { ready: Promise<void> | null } & Omit<Composed, 'ready'> = {
      ready: null,
      message() {
        if (text === null) throw new Error('The message could not be composed');
        return text;
      },
      writeTo: () => -1,
    };
    composed.ready = made
      .then((found) => void (text = found))
      .catch((error: unknown) => this.core.log.error({ err: error, messageId: message.messageId }, 'A message could not be composed'))
      .finally(() => void (composed.ready = null));
    return composed;
  }

  row(_message: AlikeMessage, _answer: Answer, outcomeOf: () => Outcome): EmailRow {
    const outcome = outcomeOf();
    const { email, set } = outcome;
    return toRow(email, { ...set, ...holding(outcome, email.createdAt) });
  }
}
