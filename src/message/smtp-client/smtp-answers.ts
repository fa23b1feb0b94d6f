import type { SmtpPhase } from '../../rules/bounce-class';
import type { Envelope } from './smtp-outcome';
import type { ServerReply } from './smtp-reply';
import { expectClass } from './smtp-session';
import type { SmtpSession } from './smtp-session';
import { WireFailure } from './smtp-wire';

export const START_MAIL_INPUT = 354;

/** The commands that are pipelined in one write. */
export const GROUP = ['mail', 'rcpt', 'data'] as const;

/** Lists the commands of a message, in their order. */
export function commandsFor(
  { dsn }: Pick<SmtpSession, 'dsn'>,
  { from, to }: Envelope,
  reportDelivery: boolean,
): readonly [mail: string, rcpt: string, data: string] {
  const reported = dsn && reportDelivery;
  return [`MAIL FROM:<${from}>${reported ? ' RET=HDRS' : ''}`, `RCPT TO:<${to}>${reported ? ' NOTIFY=SUCCESS,FAILURE' : ''}`, 'DATA'];
}

/** A refusal here leaves a connection that can carry the next message after RSET. */
export const GROUP_OR_DOT: ReadonlySet<SmtpPhase> = new Set<SmtpPhase>([...GROUP, 'final_dot']);

export function expectReset(reply: ServerReply): void {
  if (Math.floor(reply.code / 100) !== 2) throw new WireFailure('reset', 'the server did not reset the last transaction');
}

export function expectAnswer(phase: (typeof GROUP)[number], reply: ServerReply): void {
  if (phase === 'data' && reply.code === START_MAIL_INPUT) return;
  expectClass(reply, phase === 'data' ? null : 2);
}
