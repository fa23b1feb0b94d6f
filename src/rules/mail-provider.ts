interface MailProvider {
  /** In metrics. */
  readonly label: string;
  /** For people; null where each of its domains is judged separately. */
  readonly name: string | null;
  readonly domains: RegExp;
}

/** Providers of mailboxes with several domains, and others that have much mail. */
const PROVIDERS: readonly MailProvider[] = [
  { label: 'gmail', name: 'Gmail', domains: /^(gmail|googlemail)\.com$/ },
  { label: 'outlook', name: 'Microsoft', domains: /^(outlook|hotmail|live|msn|passport)\.([a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/ },
  { label: 'yahoo', name: 'Yahoo', domains: /^(yahoo|ymail|rocketmail|aol|aim)\.([a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/ },
  { label: 'icloud', name: 'Apple', domains: /^(icloud|me|mac)\.com$/ },
  { label: 'gmx', name: 'GMX and WEB.DE', domains: /^(gmx\.[a-z]{2,3}|web\.de)$/ },
  { label: 'mail_ru', name: null, domains: /^mail\.ru$/ },
  { label: 'yandex', name: null, domains: /^yandex\.(ru|com)$/ },
  { label: 'proton', name: null, domains: /^protonmail\.com$/ },
];

const keeperOf = (domain: string): MailProvider | undefined => PROVIDERS.find(({ domains }) => domains.test(domain));

/** Returns the name of the provider that keeps the mailboxes of a domain: known groups by their names, any other by the domain. */
export const providerOf = (domain: string): string => keeperOf(domain)?.name ?? domain;

/** Returns the same as one of a few labels, as it names a metric. */
export const providerLabelOf = (domain: string): string => keeperOf(domain)?.label ?? 'other';
