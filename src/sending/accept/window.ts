import type { Reader } from '../../audience/contacts';
import type { Refusal } from '../../rules/refusal';
import { Clocks, openingFrom, zoneFor, sendTimeIn } from '../../rules/send-windows';
import type { Draft, PreparedRecipient } from './types';

/** Returns when a message goes by its windows, at the time that was asked for or at the next opening after it. */
export function sendTimeOf(
  { windows, message: { sendAt } }: Draft,
  contact: Reader | null,
  at: Date,
): Pick<PreparedRecipient, 'sendAt' | 'opensFrom'> & { readonly never: Refusal | null } {
  if (!windows) return { sendAt, never: null };
  const timing = { windows, localTime: null };
  const clocks = new Clocks();
  const zone = zoneFor(timing, contact?.timezone, clocks);
  const now = (sendAt ?? at).getTime();
  const sendTime = sendTimeIn(timing, zone, { start: now, from: now, now }, clocks);
  if ('never' in sendTime) return { sendAt, never: { reason: 'limit_reached', detail: { window: sendTime.never } } };
  return {
    sendAt: sendTime.at === now ? sendAt : new Date(sendTime.at),
    opensFrom: openingFrom(windows, contact?.timezone, clocks),
    never: null,
  };
}
