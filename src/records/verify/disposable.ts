import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { lazily } from '../../rules/lazily';

const domains = lazily((): ReadonlySet<string> => disposableEmailBlocklistSet());

/** Returns whether a domain, or one that it is a part of, gives out addresses for the moment. */
export function isDisposable(domain: string): boolean {
  for (let rest = domain; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) if (domains().has(rest)) return true;
  return false;
}
