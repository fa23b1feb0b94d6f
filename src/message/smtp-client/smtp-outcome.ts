import type { SmtpPhase } from '../../rules/bounce-class';
import { envelopeFault } from '../mime';
import type { SmtpReply } from './smtp-reply';
import type { WireCause } from './smtp-wire';

/** The service closes the connection (RFC 5321 3.8). */
export const CLOSING = 421;

/** The recipient of a message, and the address to which bounces return. */
export interface Envelope {
  readonly from: string;
  readonly to: string;
}

/** The outcome of an SMTP transaction. */
export type SmtpOutcome =
  | { readonly accepted: true; readonly reply: SmtpReply }
  | {
      readonly accepted: false;
      readonly phase: SmtpPhase;
      readonly cause: 'reply' | WireCause;
      readonly reply: SmtpReply | null;
      /** The final dot may have reached the server and no reply came. */
      readonly inDoubt: boolean;
      /** Describes the failure without addresses and without the server's text. */
      readonly message: string;
    };

export type SmtpFailure = Extract<SmtpOutcome, { accepted: false }>;

/** Returns why an envelope may not go on the wire; null when it may. */
export function unfitEnvelope({ from, to }: Envelope): SmtpFailure | null {
  const sender = from === '' ? null : envelopeFault(from);
  const fault = sender ?? envelopeFault(to);
  if (fault === null) return null;
  const phase = sender === null ? 'rcpt' : 'mail';
  return { accepted: false, phase, cause: 'protocol', reply: null, inDoubt: false, message: `failed at ${phase}: ${fault}` };
}

/** Whether the connection was closed while idle, before anything of the message was sent. */
export function wasStale(outcome: SmtpOutcome): boolean {
  if (outcome.accepted || outcome.phase !== 'mail') return false;
  return outcome.cause === 'reset' || outcome.reply?.code === CLOSING;
}
