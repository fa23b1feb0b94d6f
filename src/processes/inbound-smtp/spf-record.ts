import { isIPv4, isIPv6 } from 'node:net';

/** The verdict that a mechanism of SPF gives where it matches. */
export type Verdict = 'pass' | 'fail' | 'softfail' | 'neutral';

export type Mechanism =
  | { readonly kind: 'all' }
  | { readonly kind: 'include' | 'exists'; readonly name: string }
  | { readonly kind: 'ptr'; readonly name: string | null }
  | { readonly kind: 'a' | 'mx'; readonly name: string | null; readonly prefix4: number; readonly prefix6: number }
  | { readonly kind: 'ip4' | 'ip6'; readonly network: string; readonly prefix: number };

export interface SpfRecord {
  readonly directives: readonly { readonly verdict: Verdict; readonly mechanism: Mechanism }[];
  readonly redirect: string | null;
}

/** No term of a record needs more; the expressions below take time by the square of it. */
const MOST_OF_TERM = 512;
const VERDICTS: Readonly<Record<string, Verdict>> = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' };

const EXPANSION = String.raw`%(?:\{[slodiphv](?:0*[1-9]\d{0,2})?r?[-.+,/_=]*\}|[%_-])`;
const TOP_LABEL = String.raw`(?:[a-z0-9]*[a-z][a-z0-9]*|[a-z0-9]+-[a-z0-9-]*[a-z0-9])`;
const MACRO_STRING = new RegExp(`^(?:[!-$&-~]|${EXPANSION})*$`, 'i');
const DOMAIN_SPEC = new RegExp(String.raw`^(?:[!-$&-~]|${EXPANSION})*(?:\.${TOP_LABEL}\.?|${EXPANSION})$`, 'i');
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/is;
const DIRECTIVE = /^([-+~?]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?=[:/]|$)(.*)$/is;
const TARGET = /^(?::([^]*?))?(?:\/(0|[1-9]\d?))?(?:\/\/(0|[1-9]\d{0,2}))?$/;
const NETWORK = /^:([0-9a-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i;

/** Reads a record of SPF (RFC 7208, section 12), given without its version. Null where it is none. */
export function readSpfRecord(terms: readonly string[]): SpfRecord | null {
  const directives: SpfRecord['directives'][number][] = [];
  const modifiers = new Map<string, string>();
  for (const term of terms) {
    if (term.length > MOST_OF_TERM) return null;
    const directive = directiveOf(term);
    if (directive) directives.push(directive);
    else if (!takeModifier(term, modifiers)) return null;
  }
  return { directives, redirect: modifiers.get('redirect') ?? null };
}

/** Returns whether a term is a modifier; those that mean something are noted, and may be there once. */
function takeModifier(term: string, noted: Map<string, string>): boolean {
  const [, given = '', value = ''] = MODIFIER.exec(term) ?? [];
  const name = given.toLowerCase();
  if (name !== 'redirect' && name !== 'exp') return name !== '' && MACRO_STRING.test(value);
  if (noted.has(name) || !DOMAIN_SPEC.test(value)) return false;
  noted.set(name, value);
  return true;
}

function directiveOf(term: string): SpfRecord['directives'][number] | null {
  const [, sign = '', name = '', rest = ''] = DIRECTIVE.exec(term) ?? [];
  const mechanism = MECHANISMS[name.toLowerCase()]?.(rest) ?? null;
  return mechanism && { verdict: VERDICTS[sign] ?? 'pass', mechanism };
}

const named =
  (kind: 'include' | 'exists') =>
  (rest: string): Mechanism | null =>
    isNamed(rest) ? { kind, name: rest.slice(1) } : null;

/** Parsers for the text after the name of each mechanism. */
const MECHANISMS: Readonly<Record<string, (rest: string) => Mechanism | null>> = {
  all: (rest) => (rest === '' ? { kind: 'all' } : null),
  include: named('include'),
  exists: named('exists'),
  ptr: (rest) => (rest === '' || isNamed(rest) ? { kind: 'ptr', name: rest.slice(1) || null } : null),
  a: (rest) => hostsOf('a', rest),
  mx: (rest) => hostsOf('mx', rest),
  ip4: (rest) => networkOf('ip4', rest),
  ip6: (rest) => networkOf('ip6', rest),
};

const isNamed = (rest: string): boolean => rest.startsWith(':') && DOMAIN_SPEC.test(rest.slice(1));

function hostsOf(kind: 'a' | 'mx', rest: string): Mechanism | null {
  const target = TARGET.exec(rest);
  if (!target) return null;
  const [, name, four = '32', six = '128'] = target;
  if ((name !== undefined && !DOMAIN_SPEC.test(name)) || Number(four) > 32 || Number(six) > 128) return null;
  return { kind, name: name ?? null, prefix4: Number(four), prefix6: Number(six) };
}

function networkOf(kind: 'ip4' | 'ip6', rest: string): Mechanism | null {
  const most = kind === 'ip4' ? 32 : 128;
  const [, network = '', prefix = String(most)] = NETWORK.exec(rest) ?? [];
  const isNetwork = kind === 'ip4' ? isIPv4(network) : isIPv6(network);
  return isNetwork && Number(prefix) <= most ? { kind, network, prefix: Number(prefix) } : null;
}
