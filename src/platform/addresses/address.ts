import { domainToASCII } from 'node:url';

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ASCII_IN_DOMAIN = /^[a-z0-9.-]*$/i;
/** Matches characters that need IDNA. */
const NON_ASCII = /\P{ASCII}+/gu;

export const MAX_ADDRESS_LENGTH = 254;

export interface Address {
  /** The local part as given: only the recipient's system knows whether its case matters (RFC 5321 §2.4). */
  readonly local: string;
  /** Lower-case, in ASCII form. */
  readonly domain: string;
}

/** Returns a host name of at least two labels in lower-case ASCII form (IDNA), or null when it is none. */
export function normalizeDomain(text: string): string | null {
  if (text.length > 253) return null;
  const isAscii = ASCII_IN_DOMAIN.test(text);
  if (!isAscii && !ASCII_IN_DOMAIN.test(text.replace(NON_ASCII, ''))) return null;
  const ascii = isAscii ? text.toLowerCase() : domainToASCII(text);
  const labels = ascii.split('.');
  const last = labels.at(-1) ?? '';
  const fits = ascii.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(last);
  return fits ? ascii : null;
}

/** Splits a bare mailbox (RFC 5321 dot-string, ASCII local part); null for display names, quoted strings, literals and anything longer than 254. */
export function parseAddress(text: string): Address | null {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > MAX_ADDRESS_LENGTH) return null;
  const local = text.slice(0, at);
  const domain = normalizeDomain(text.slice(at + 1));
  if (domain === null || !LOCAL_PART.test(local) || at + 1 + domain.length > MAX_ADDRESS_LENGTH) return null;
  return { local, domain };
}

/** Returns the form in which addresses are stored and compared: lower-case, domain in ASCII. Null when it is no address. */
export function normalizeAddress(text: string): string | null {
  const address = parseAddress(text);
  return address && `${address.local.toLowerCase()}@${address.domain}`;
}

/** Returns the part of an address after the `@`. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

const MOST_OF_URL = 2_048;
const AROUND_DOMAIN = /^(?:https?:\/\/)?(?:[^@/]{0,64}@)?(?:www\.)?([^/:?#@]{1,253}?)\.?(?::\d+)?(?:[/?#].*)?$/is;

/** Returns the domain that a URL or an address is probably about, without `www.`; null where there is none. */
export function domainIn(text: string): string | null {
  const host = AROUND_DOMAIN.exec(text.trim().slice(0, MOST_OF_URL))?.[1];
  return host === undefined ? null : normalizeDomain(host);
}
