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
