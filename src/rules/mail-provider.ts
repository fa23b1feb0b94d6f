import { getDomain } from 'tldts';

/** Providers with several domains; any other domain stands for itself. */
const BY_DOMAIN: readonly (readonly [provider: string, domains: RegExp])[] = [
  ['Gmail', /^(gmail|googlemail)\.com$/],
  ['Microsoft', /^(outlook|hotmail|live|msn|passport)\.([a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/],
  ['Yahoo', /^(yahoo|ymail|rocketmail|aol|aim)\.([a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/],
  ['Apple', /^(icloud|me|mac)\.com$/],
  ['GMX and WEB.DE', /^(gmx\.[a-z]{2,3}|web\.de)$/],
];

/** Returns the name of the provider that keeps the mailboxes of a domain: known groups by their names, any other by the domain. */
export const providerOf = (domain: string): string => BY_DOMAIN.find(([, domains]) => domains.test(domain))?.[0] ?? domain;

/** Providers whose exchangers have several names. */
const BY_EXCHANGER: ReadonlyMap<string, string> = new Map([
  ['google.com', 'google'],
  ['googlemail.com', 'google'],
  ['outlook.com', 'outlook'],
  ['hotmail.com', 'outlook'],
  ['microsoft', 'outlook'],
  ['yahoodns.net', 'yahoo'],
  ['icloud.com', 'apple'],
]);

/** Returns the provider that runs a mail exchanger: a name that is known, or the domain that its owner registered. */
export function providerAt(exchanger: string): string {
  const registered = getDomain(exchanger) ?? exchanger;
  const ownLabel = exchanger.slice(exchanger.lastIndexOf('.') + 1);
  return BY_EXCHANGER.get(registered) ?? BY_EXCHANGER.get(ownLabel) ?? registered;
}
