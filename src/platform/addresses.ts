import { domainToASCII } from 'node:url';
import { parsedUrl } from '../rules/parsed-url';
import { addressId } from './core';
import { isIPv6 } from 'node:net';

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

export const MAX_DISPLAY_NAME = 200;

/** Escapes may double a name; longer texts are not checked. */
const MOST = 2 * MAX_DISPLAY_NAME + MAX_ADDRESS_LENGTH + 8;

/**
 * Matches a word of a name that needs no quotes: an atom (RFC 5322 3.2.3) with the characters that RFC 6532 adds, and full stops, as
 * everybody writes them (4.1).
 */
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uFFFF-]+$/;
/** Controls, and what ends a line in Unicode. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** `Name <address>` in its parts; the address in its stored form. */
export interface Mailbox {
  readonly email: string;
  /** Null where there is none, or an empty one. */
  readonly name: string | null;
}

/**
 * Reads a name-addr of RFC 5322: a name of atoms and quoted strings, then the address in angle brackets. Null for anything else: comments, routes, groups, lists,
 * folds, names with commas or the like outside quotes, and what has a control character anywhere.
 */
export function parseMailbox(text: string): Mailbox | null {
  const opening = text.lastIndexOf('<');
  if (opening === -1 || !text.endsWith('>') || text.length > MOST || CONTROL.test(text)) return null;
  const email = normalizeAddress(text.slice(opening + 1, -1));
  const name = phrase(text.slice(0, opening));
  return email === null || name === null || name.length > MAX_DISPLAY_NAME ? null : { email, name: name === '' ? null : name };
}

/** Matches a quoted string, or the text between spaces. */
const WORDS = /"(?:[^"\\]|\\.)*"|[^ "]+|"| +/g;

/** Returns the words of a name, quotes and escapes taken off; null when it is no phrase. */
function phrase(text: string): string | null {
  let name = '';
  for (const [word] of text.matchAll(WORDS)) {
    if (word.startsWith(' ')) name += ' ';
    else if (word.length > 1 && word.startsWith('"')) name += word.slice(1, -1).replace(/\\(.)/gs, '$1');
    else if (ATOM.test(word)) name += word;
    else return null;
  }
  return name.trim();
}

/** Returns the eight groups of an IPv6 address, as written out by the URL parser (RFC 5952). */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  return tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/** Returns an IPv4 address that came as IPv6 (RFC 4291, 2.5.5.2), else null. */
function mappedIPv4(groups: readonly string[]): string | null {
  if (groups.slice(0, 5).some((group) => group !== '0') || groups[5] !== 'ffff') return null;
  const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}

/** Returns what limits go by: an IPv4 address, or the /64 of an IPv6 address, since one client has all of those. */
export function clientOf(address: string): string {
  const bare = address.trim().split('%', 1)[0] ?? '';
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  return mappedIPv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** Returns the network that an address most likely shares its owner with: itself, or the /48 of an IPv6 address. */
export function networkOf(address: string): string {
  const client = clientOf(address);
  return client.includes(':') ? `${client.split(':', 3).join(':')}::/48` : client;
}

/** Returns the 32 digits of an IPv6 address. */
export const digitsOfIPv6 = (address: string): string =>
  groupsOf(address.split('%', 1)[0] ?? '')
    .map((group) => group.padStart(4, '0'))
    .join('');

/**
 * Returns the client of a request: the peer of the socket, or, behind this many proxies of the operator, the address that the outermost one
 * noted in `X-Forwarded-For`. Entries that a client writes into that header itself are further to the left and are ignored.
 */
export function clientAddress(socket: string | undefined, forwardedFor: string | undefined, proxies: number): string {
  const hops = [...(forwardedFor ?? '').split(',').filter((hop) => hop.trim() !== ''), socket ?? ''];
  return clientOf(hops[Math.max(0, hops.length - 1 - proxies)] ?? '');
}
