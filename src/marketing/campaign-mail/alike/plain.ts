import type { DkimKey } from '../../../message/dkim';
import type { Written } from '../../../message/template';
import type { Core } from '../../../platform/core';
import { holding, toRow } from '../../../records/emails';
import type { EmailRow, Outcome } from '../../../records/emails';
import { signedMail } from '../../../sending/deliver';
import type { AlikeKit, AlikeMessage, Answer, Composed, EmailOf } from './kit';

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
