import { fieldOf } from './mail';
import type { ParsedMail } from './mail';

/** More hosts than mail passes through unless it goes in a circle (RFC 5321 6.3 leaves the number to us). */
const MOST_HOPS = 30;

/** Returns whether a mail went through enough servers that it must be looping (RFC 5321, section 6.3). */
export const isLooping = ({ fields }: Pick<ParsedMail, 'fields'>): boolean =>
  fields.filter(([name]) => name === 'received').length > MOST_HOPS;

const SIGNS: readonly (readonly [field: string, sign: RegExp])[] = [
  ['auto-submitted', /^\s*(?!no\b)[a-z]/i],
  ['precedence', /^\s*(?:auto_reply|bulk|junk)\s*$/i],
  ['x-autoreply', /\S/],
  ['x-autorespond', /\S/],
  // What belongs to a campaign or an automation.
  ['feedback-id', /^\s*(?:cmp|wfl)_[^:]*:.*:lettermill\s*$/i],
];

/**
 * Returns whether a machine sent a message, and an answer would be read by a machine at best (RFC 3834 2): no envelope sender, marked as automatic, an answering
 * machine's, or one of our own automations' and campaigns'.
 */
export const isAutomatic = (mail: Pick<ParsedMail, 'fields'>, envelopeFrom: string): boolean =>
  envelopeFrom === '' || SIGNS.some(([name, sign]) => sign.test(fieldOf(mail, name) ?? ''));
