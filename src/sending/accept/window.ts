import type { Reader } from '../../audience/contacts';
import type { Refusal } from '../../rules/refusal';
import { Clocks, placeOf, turnIn } from '../../rules/send-windows';
import type { Turn } from '../../rules/send-windows';
import type { Draft, PreparedRecipient } from './types';

/** Returns when a message goes by its windows, at the time that was asked for or at the next opening after it. */
export function turnOf(
  { windows, message: { sendAt } }: Draft,
  contact: Reader | null,
  at: Date,
): Pick<PreparedRecipient, 'sendAt' | 'opensFrom'> & { readonly never: Refusal | null } {
  if (!windows) return { sendAt, never: null };
  const timing = { windows, localTime: null };
  const clocks = new Clocks();
  const place = placeOf(timing, contact?.timezone, clocks);
  const turnFrom = (now: number): Turn => turnIn(timing, place, { start: now, from: now, now }, clocks);
  const now = (sendAt ?? at).getTime();
  const turn = turnFrom(now);
  if ('never' in turn) return { sendAt, never: { reason: 'limit_reached', detail: { window: turn.never } } };
  const opensFrom = (instant: Date): Date => {
    const later = turnFrom(instant.getTime());
    return 'at' in later ? new Date(later.at) : instant;
  };
  return { sendAt: turn.at === now ? sendAt : new Date(turn.at), opensFrom, never: null };
}
