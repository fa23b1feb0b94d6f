/** Providers with several domains; any other domain stands for itself. */
const PROVIDERS: readonly (readonly [provider: string, domains: RegExp])[] = [
  ['Gmail', /^(gmail|googlemail)\.com$/],
  ['Microsoft', /^(outlook|hotmail|live|msn|passport)\.([a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/],
  ['Yahoo', /^(yahoo|ymail|rocketmail|aol|aim)\.([a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/],
  ['Apple', /^(icloud|me|mac)\.com$/],
  ['GMX and WEB.DE', /^(gmx\.[a-z]{2,3}|web\.de)$/],
];

/** Returns the name of the provider that keeps the mailboxes of a domain: known groups by their names, any other by the domain. */
export const providerOf = (domain: string): string => PROVIDERS.find(([, domains]) => domains.test(domain))?.[0] ?? domain;
