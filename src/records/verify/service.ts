import { parseAddress } from '../../platform/addresses';
import type { Address } from '../../platform/addresses';
import type { Context } from '../../platform/core';
import { isFreeProvider } from '../../rules/verify/known-domains';
import { isRole, suggestDomain, judgeAddress } from '../../rules/verify/verdict';
import type { Checks, Reason, Result } from '../../rules/verify/verdict';
import { findSuppression } from '../suppressions';
import { mailDomains } from './mail-domains';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { lazily } from '../../rules/lazily';

export { REASONS, RESULTS } from '../../rules/verify/verdict';

/** Facts about an address without sending to it. */
export interface Verdict {
  /** In its stored form; as it was given where it is no address. */
  readonly email: string;
  readonly result: Result;
  readonly reason: Reason;
  /** The address that was probably meant. */
  readonly suggestion: string | null;
  readonly checks: Checks;
}

const NO_ADDRESS: Checks = {
  syntax: false,
  mx: false,
  disposable: false,
  role: false,
  freeProvider: false,
  suppressed: false,
  nullMx: false,
};

/** Checks any text as an address, by its form, by what DNS says of its domain, and by the project's suppressions; no mail server is contacted. */
export async function verifyAddress(ctx: Context, text: string): Promise<Verdict> {
  const address = parseAddress(text);
  if (!address) return { email: text, ...judgeAddress(NO_ADDRESS, null), suggestion: suggestionFor(text), checks: NO_ADDRESS };
  const { local, domain } = address;
  const email = stored(address);
  const [{ takesMail, mx, nullMx }, suppression] = await Promise.all([mailDomains(ctx.core).of(domain), findSuppression(ctx, email)]);
  const checks: Checks = {
    syntax: true,
    mx,
    disposable: isDisposable(domain),
    role: isRole(local),
    freeProvider: isFreeProvider(domain),
    suppressed: suppression !== null,
    nullMx,
  };
  return { email, ...judgeAddress(checks, takesMail), suggestion: suggestionFor(email), checks };
}

const domains = lazily((): ReadonlySet<string> => disposableEmailBlocklistSet());

/** Returns whether a domain, or one that it is a part of, gives out addresses for the moment. */
export function isDisposable(domain: string): boolean {
  for (let rest = domain; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) if (domains().has(rest)) return true;
  return false;
}

const stored = ({ local, domain }: Address): string => `${local.toLowerCase()}@${domain}`;

// Also of what is no address, as long as the part before the `@` could be one's.
function suggestionFor(text: string): string | null {
  const at = text.lastIndexOf('@');
  const domain = suggestDomain(text.slice(at + 1).toLowerCase());
  const meant = domain === null ? null : parseAddress(`${text.slice(0, Math.max(at, 0))}@${domain}`);
  return meant && stored(meant);
}
