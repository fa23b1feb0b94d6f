import type { DnsServer, Name, Zone } from './dns-server';
import type { Api } from './app';

interface WireRecord {
  readonly purpose: string;
  readonly type: 'TXT' | 'MX' | 'CNAME';
  readonly host: string;
  readonly value: string;
  readonly status: string;
}

export interface WireDomain {
  readonly domainId: string;
  readonly domain: string;
  readonly status: string;
  readonly selector: string;
  readonly verifiedForSending: boolean;
  readonly mailFromStatus: string;
  readonly dnsRecords: readonly WireRecord[];
  readonly [member: string]: unknown;
}

let made = 0;
/** A name that no other test has. */
export const freshDomain = (): string => `d${made++}.example.com`;

export async function addDomain(api: Api, domain = freshDomain()): Promise<WireDomain> {
  return (await api.post('/v1/domains').send({ domain }).expect(201)).body.data as WireDomain;
}

/** Texts in strings of at most 255 bytes, as DNS has them. */
const strings = (text: string): string[] => text.match(/.{1,255}/g) ?? [''];

function withRecord(zone: Zone, { type, value }: WireRecord): Zone {
  if (type === 'CNAME') return { CNAME: value };
  if (type === 'TXT') return { ...zone, TXT: [...(zone.TXT ?? []), strings(value)] };
  const [preference = '', host = ''] = value.split(' ');
  return { ...zone, MX: [[Number(preference), host]] };
}

/** Publishes the records that a domain asks for: all of them, or those of some purposes. */
export function publish(dns: DnsServer, { dnsRecords }: Pick<WireDomain, 'dnsRecords'>, ...purposes: readonly string[]): void {
  const wanted = dnsRecords.filter(({ purpose }) => purposes.length === 0 || purposes.includes(purpose));
  const zones = new Map<string, Zone>();
  for (const record of wanted) zones.set(record.host, withRecord(zones.get(record.host) ?? {}, record));
  for (const [host, zone] of zones) dns.names.set(host, zone);
}

export const hostOf = ({ dnsRecords }: Pick<WireDomain, 'dnsRecords'>, purpose: string): string =>
  dnsRecords.find((record) => record.purpose === purpose)?.host ?? '';

/** Says something else of the name of a record; nothing makes it disappear. */
export function say(dns: DnsServer, domain: Pick<WireDomain, 'dnsRecords'>, purpose: string, name?: Name): void {
  if (name === undefined) dns.names.delete(hostOf(domain, purpose));
  else dns.names.set(hostOf(domain, purpose), name);
}

/** What is shown of each record, in order. */
export const statusesOf = ({ dnsRecords }: Pick<WireDomain, 'dnsRecords'>): string[] =>
  dnsRecords.map(({ purpose, status }) => `${purpose} ${status}`);
