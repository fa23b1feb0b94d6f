import { getDomain } from 'tldts';

/** Providers whose exchangers have several names. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
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
  return PROVIDERS.get(registered) ?? PROVIDERS.get(ownLabel) ?? registered;
}
