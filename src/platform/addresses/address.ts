import { domainToASCII } from 'node:url';
import { parsedUrl } from '../../rules/parsed-url';
import { addressId } from '../core';

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

/** Returns the name or address in a `Host` header, or in the host of a URL: in small letters, without port and final dot. Null where there is none. */
export function hostNameOf(host: string | undefined): string | null {
  return parsedUrl(`http://${host ?? ''}`)?.hostname.replace(/\.$/, '') ?? null;
}

const LOOPBACK: readonly (string | null)[] = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether a `Host` header names this machine itself, or the host of `publicUrl`. The name of a foreign page does not, even when it leads here. */
export function isOwnHost(host: string | undefined, publicUrl = 'http://localhost'): boolean {
  return [...LOOPBACK, hostNameOf(new URL(publicUrl).host)].includes(hostNameOf(host));
}

const FORM = /^erased_([0-9a-z]{26})@erased\.invalid$/;

/**
 * Returns the address that replaces the one of an erased person: the keyed hash from the contact's id, at a domain that cannot exist (RFC
 * 2606 2).
 */
export const erasedAddress = (contactId: string): string => `erased_${contactId.slice(contactId.indexOf('_') + 1)}@erased.invalid`;

/** Returns whether an address replaces the one of an erased person. */
export const isErasedAddress = (address: string): boolean => FORM.test(address);

/** Returns as `addressId` the id of an address that a row names: where the person was erased, the id is the one that their own address has. */
export function personId(prefix: string, salt: string, address: string): string {
  const hash = FORM.exec(address)?.[1];
  return hash === undefined ? addressId(prefix, salt, address) : `${prefix}_${hash}`;
}
