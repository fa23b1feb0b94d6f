interface MailProvider {
  /** In routes, rules, holds and metrics. */
  readonly key: string;
  /** For people; null where each of its domains is judged separately. */
  readonly name: string | null;
  /** Domains of its mailboxes. */
  readonly domains: RegExp;
  /** Suffixes of its mail exchangers, which also take mail for domains of its customers. */
  readonly exchangers: readonly string[];
}

/** The one table of providers: those of mailboxes with several domains, and others that have much mail. */
const PROVIDERS: readonly MailProvider[] = [
  { key: 'google', name: 'Gmail', domains: /^(gmail|googlemail)\.com$/, exchangers: ['google.com', 'googlemail.com'] },
  {
    key: 'outlook',
    name: 'Microsoft',
    domains: /^(outlook|hotmail|live|msn|passport)\.([a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/,
    exchangers: ['outlook.com', 'hotmail.com', 'microsoft'],
  },
  {
    key: 'yahoo',
    name: 'Yahoo',
    domains: /^(yahoo|ymail|rocketmail|aol|aim)\.([a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/,
    exchangers: ['yahoodns.net'],
  },
  { key: 'apple', name: 'Apple', domains: /^(icloud|me|mac)\.com$/, exchangers: ['icloud.com'] },
  { key: 'gmx', name: 'GMX and WEB.DE', domains: /^(gmx\.[a-z]{2,3}|web\.de)$/, exchangers: ['gmx.net', 'web.de'] },
  { key: 'mail_ru', name: null, domains: /^mail\.ru$/, exchangers: ['mail.ru'] },
  { key: 'yandex', name: null, domains: /^yandex\.(ru|com)$/, exchangers: ['yandex.ru', 'yandex.net'] },
  { key: 'proton', name: null, domains: /^protonmail\.com$/, exchangers: ['protonmail.ch'] },
];

/** The providers that have a key: any other is known by the domain of its mail exchangers. */
export const PROVIDER_KEYS: readonly string[] = PROVIDERS.map(({ key }) => key);

const keeperOf = (domain: string): MailProvider | undefined => PROVIDERS.find(({ domains }) => domains.test(domain));

/** Returns the name of the provider that keeps the mailboxes of a domain: known groups by their names, any other by the domain. */
export const providerOf = (domain: string): string => keeperOf(domain)?.name ?? domain;

/** Returns the key of the provider that keeps the mailboxes of a domain; null where only its mail exchanger shows who does. */
export const providerKeyOf = (domain: string): string | null => keeperOf(domain)?.key ?? null;

/** Returns the key of the known provider that runs a mail exchanger. */
export const providerAtExchanger = (host: string): string | null =>
  PROVIDERS.find(({ exchangers }) => exchangers.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)))?.key ?? null;
