import { BIG_DOMAINS, isKnownDomain } from './known-domains';

/** The checks of an address; a check that was not made, or not answered, is false. */
export interface Checks {
  /** An address that this platform can send to. */
  readonly syntax: boolean;
  /** The domain names hosts that take its mail. */
  readonly mx: boolean;
  readonly disposable: boolean;
  readonly role: boolean;
  readonly freeProvider: boolean;
  readonly suppressed: boolean;
  /** The domain says that it accepts no mail (RFC 7505). */
  readonly nullMx: boolean;
}

export const RESULTS = ['deliverable', 'risky', 'undeliverable', 'unknown'] as const;
export const REASONS = [
  'invalid_syntax',
  'null_mx',
  'no_mail_server',
  'dns_unavailable',
  'suppressed',
  'disposable',
  'role',
  'accepts_mail',
] as const;

export type Result = (typeof RESULTS)[number];
export type Reason = (typeof REASONS)[number];

/**
 * Returns what to think of an address (docs/verify.md). What is certain goes first: mail that cannot arrive is undeliverable, for every sender; of what is not
 * known no more is said; only then the reader counts. `takesMail` is null where DNS did not say.
 */
export function judgeAddress(checks: Checks, takesMail: boolean | null): { readonly result: Result; readonly reason: Reason } {
  if (!checks.syntax) return { result: 'undeliverable', reason: 'invalid_syntax' };
  if (takesMail === false) return { result: 'undeliverable', reason: checks.nullMx ? 'null_mx' : 'no_mail_server' };
  if (takesMail === null) return { result: 'unknown', reason: 'dns_unavailable' };
  const risk = (['suppressed', 'disposable', 'role'] as const).find((name) => checks[name]);
  return risk ? { result: 'risky', reason: risk } : { result: 'deliverable', reason: 'accepts_mail' };
}

/** No mail domain worth comparing is longer. */
const LONGEST = 40;
/** In shorter names an error is as likely to be another name. */
const SHORTEST_WITH_ERROR = 5;
const LONG = 6;

/** Returns the big mail domain that was probably meant, or null. `domain` is in lower case, and need not be a domain at all. */
export function suggestDomain(domain: string): string | null {
  const given = domain.replaceAll(',', '.').replace(/^\.|\.$/g, '');
  if (given === '' || given.length > LONGEST || isKnownDomain(domain)) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const target of BIG_DOMAINS) {
    const errors = errorsBetween(given, target);
    if (errors !== null && errors < least) [best, least] = [target, errors];
  }
  return best;
}

/** Returns how many typing errors lie between a text and a domain; null where they are too many to believe in. */
function errorsBetween(given: string, target: string): number | null {
  if (given === target) return 0;
  const [name, ending] = parted(target);
  const [givenName, givenEnding] = parted(given);
  if (given === name || given.replaceAll('.', '') === target.replaceAll('.', '')) return 1;
  const inName = distance(givenName, name);
  const inEnding = distance(givenEnding, ending);
  const most = name.length < SHORTEST_WITH_ERROR ? 0 : name.length < LONG ? 1 : 2;
  return inName <= most && inEnding <= (ending.length > 2 ? 1 : 0) && inName + inEnding <= 2 ? inName + inEnding : null;
}

/** Returns what comes before the first dot, and after it. */
function parted(domain: string): readonly [string, string] {
  const dot = domain.indexOf('.');
  return dot < 0 ? [domain, ''] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

/**
 * Computes Damerau and Levenshtein's distance, as optimal string alignment: how many letters are left out, added or wrong, or have changed places with their
 * neighbor.
 */
export function distance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const wrong = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + wrong);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;

/** Local parts that name an office and not a person (RFC 2142, and common practice). */
const ROLES: ReadonlySet<string> = new Set([
  'abuse',
  'accounting',
  'accounts',
  'admin',
  'administrator',
  'billing',
  'careers',
  'compliance',
  'contact',
  'contacts',
  'customer-service',
  'customerservice',
  'do-not-reply',
  'donotreply',
  'enquiries',
  'feedback',
  'finance',
  'ftp',
  'hello',
  'help',
  'helpdesk',
  'hostmaster',
  'hr',
  'info',
  'inquiries',
  'inquiry',
  'jobs',
  'legal',
  'list',
  'mailer-daemon',
  'marketing',
  'news',
  'newsletter',
  'no-reply',
  'noc',
  'noreply',
  'office',
  'orders',
  'postmaster',
  'press',
  'privacy',
  'root',
  'sales',
  'security',
  'service',
  'spam',
  'subscribe',
  'support',
  'sysadmin',
  'team',
  'unsubscribe',
  'usenet',
  'uucp',
  'webmaster',
  'www',
]);

/** Returns whether a local part, in any case and with any `+label`, is that of an office. */
export const isRole = (local: string): boolean => ROLES.has(local.toLowerCase().split('+', 1)[0] ?? '');
