import { hostName, judged } from './answers';
import type { Answer, Verdict } from './answers';

/** Returns the tags of a `tag=value; …` list (RFC 6376 3.2), in order; null when it is none, or names a tag twice. */
export function tagsOf(text: string): ReadonlyMap<string, string> | null {
  const tags = new Map<string, string>();
  const parts = text.split(';').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  for (const part of parts) {
    const [, name, value = ''] = /^([A-Za-z][A-Za-z0-9_]*)\s*=([^]*)$/.exec(part) ?? [];
    if (name === undefined || tags.has(name)) return null;
    tags.set(name, value.trim());
  }
  return tags;
}

/** Judges whether one of the texts at the name is this one. */
export const judgeText = (answer: Answer<string>, value: string): Verdict =>
  judged(answer, (texts) => texts.some((text) => text.trim() === value));

const listed = (list: string | undefined, ...names: readonly string[]): boolean =>
  list === undefined || list.split(':').some((name) => names.includes(name.trim()));

const isKey = (tags: ReadonlyMap<string, string>, publicKey: string): boolean =>
  (tags.get('v') ?? 'DKIM1') === 'DKIM1' &&
  (tags.get('k') ?? 'rsa') === 'rsa' &&
  listed(tags.get('h'), 'sha256') &&
  listed(tags.get('s'), '*', 'email') &&
  tags.get('p')?.replace(/\s+/g, '') === publicKey;

/**
 * Judges whether the name holds one key record (RFC 6376 3.6.1) and that is this key, for this use of it: of two, a verifier takes whichever it likes (3.6.2.2).
 * Tags may come in any order.
 */
export const judgeDkim = (answer: Answer<string>, publicKey: string): Verdict =>
  judged(answer, (texts) => {
    const keys = texts.filter((text) => /(^|;)\s*(p|v)\s*=/.test(text)).map(tagsOf);
    const [only] = keys;
    return keys.length === 1 && only !== undefined && only !== null && isKey(only, publicKey);
  });

/** Judges whether the name itself points to this host. */
export const judgeCname = (answer: Answer<string>, host: string): Verdict =>
  judged(answer, (names) => names.length === 1 && hostName(names[0] ?? '') === host);

/** Judges whether the host is an exchanger of the name, with any preference. */
export const judgeMx = (answer: Answer<{ readonly host: string }>, host: string): Verdict =>
  judged(answer, (exchanges) => exchanges.some((exchange) => hostName(exchange.host) === host));
