/** The records of a sending domain, in the order in which they are shown. */
export const RECORD_KEYS = ['ownership', 'dkim', 'spf', 'dmarc', 'tracking', 'bounceMx', 'bounceSpf'] as const;
export type RecordKey = (typeof RECORD_KEYS)[number];

export const RECORD_STATUSES = ['pending', 'verified', 'failed'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];
export type RecordStatuses = Readonly<Record<RecordKey, RecordStatus>>;

/** Sending from a domain requires these records; the others are used where they exist. */
export const REQUIRED = ['ownership', 'dkim'] as const satisfies readonly RecordKey[];

/** The names and keys of one domain. */
export interface DomainIdentity {
  readonly domain: string;
  readonly selector: string;
  readonly verificationToken: string;
  /** Base64 of the SPKI. */
  readonly dkimPublicKey: string;
}

/** The names that the records of every domain point to. */
export interface PlatformNames {
  readonly SPF_INCLUDE: string;
  readonly TRACKING_HOST: string;
  readonly MX_HOST: string;
}

/** A record that the owner of a domain is to publish. */
export interface DnsRecord {
  readonly key: RecordKey;
  readonly purpose: 'ownership' | 'dkim' | 'spf' | 'dmarc' | 'tracking' | 'mailfrom';
  readonly type: 'TXT' | 'CNAME' | 'MX';
  readonly host: string;
  readonly value: string;
}

const TRACK = 'track.';

/** Returns the host in the links of a domain's mail. */
export const trackingHostOf = (domain: string): string => TRACK + domain;

/** Returns the domain whose links name this host; null for a host that no link names. */
export const trackedDomainOf = (host: string): string | null => (host.startsWith(TRACK) ? host.slice(TRACK.length) : null);

/** Returns the domain of a domain's envelope senders. */
export const bounceDomainOf = (domain: string): string => `bounce.${domain}`;

/** Returns the records to publish for a domain. */
export function recordsOf(
  { domain, selector, verificationToken, dkimPublicKey }: DomainIdentity,
  names: PlatformNames,
): readonly DnsRecord[] {
  const spf = `v=spf1 include:${names.SPF_INCLUDE} ~all`;
  const bounce = bounceDomainOf(domain);
  const dkim = { host: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${dkimPublicKey}` };
  return [
    {
      key: 'ownership',
      purpose: 'ownership',
      type: 'TXT',
      host: `_lettermill.${domain}`,
      value: `lettermill-verification=${verificationToken}`,
    },
    { key: 'dkim', purpose: 'dkim', type: 'TXT', ...dkim },
    { key: 'spf', purpose: 'spf', type: 'TXT', host: domain, value: spf },
    { key: 'dmarc', purpose: 'dmarc', type: 'TXT', host: `_dmarc.${domain}`, value: 'v=DMARC1; p=none;' },
    { key: 'tracking', purpose: 'tracking', type: 'CNAME', host: trackingHostOf(domain), value: names.TRACKING_HOST },
    { key: 'bounceMx', purpose: 'mailfrom', type: 'MX', host: bounce, value: `10 ${names.MX_HOST}` },
    { key: 'bounceSpf', purpose: 'mailfrom', type: 'TXT', host: bounce, value: spf },
  ];
}

/** The longest name that `recordsOf` puts in front of a domain must leave a name that DNS can hold (RFC 1035 2.3.4). */
const MOST_IN_FRONT = 'lm00000000._domainkey.'.length;
export const MAX_DOMAIN_LENGTH = 253 - MOST_IN_FRONT;

/** Returns the status of a bounce domain, which needs both of its records. */
export function bounceStatus({ bounceMx, bounceSpf }: Pick<RecordStatuses, 'bounceMx' | 'bounceSpf'>): RecordStatus {
  if (bounceMx === 'verified' && bounceSpf === 'verified') return 'verified';
  return bounceMx === 'failed' || bounceSpf === 'failed' ? 'failed' : 'pending';
}
