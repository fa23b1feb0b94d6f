import type { DnsServer, Name, Zone } from '../servers/dns-server';
import type { Api, TestApp } from '../platform/app';
import type { StartIntent } from '../../../src/contracts/processes';
import { checkInBackground } from '../../../src/sending/domains/request';
import { stored } from '../data/stored';

interface WireRecord {
  readonly purpose: string;
  readonly type: 'TXT' | 'MX' | 'CNAME';
  readonly host: string;
  readonly value: string;
  readonly status: string;
}

interface WireCheck {
  readonly purpose: string;
  readonly type: string;
  readonly host: string;
  readonly expected: string;
  readonly answer: string | null;
  readonly found: readonly string[];
  readonly zoneLine: string;
}

export interface WireDomain {
  readonly domainId: string;
  readonly domain: string;
  readonly status: string;
  readonly selector: string;
  readonly verifiedForSending: boolean;
  readonly mailFromStatus: string;
  readonly dnsRecords: readonly WireRecord[];
  readonly dnsChecks: readonly WireCheck[];
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
  if (type === 'TXT') return withText(zone, strings(value));
  return withExchange(zone, value);
}

const withText = (zone: Zone, text: readonly string[]): Zone => ({ ...zone, TXT: [...(zone.TXT ?? []), text] });

function withExchange(zone: Zone, value: string): Zone {
  const [preference = '', host = ''] = value.split(' ');
  return { ...zone, MX: [[Number(preference), host]] };
}

/** Publishes the records that a domain asks for: all of them, or for some purposes. */
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

/** Returns the shown status of each record, in order. */
export const statusesOf = ({ dnsRecords }: Pick<WireDomain, 'dnsRecords'>): string[] =>
  dnsRecords.map(({ purpose, status }) => `${purpose} ${status}`);

/** Publishes a zone file as a name server reads one: a text is its quoted strings. */
export function publishZone(dns: DnsServer, file: string): void {
  const zones = new Map<string, Zone>();
  for (const line of file.split('\n').filter((text) => text !== '' && !text.startsWith(';'))) {
    const [, name = '', type, data = ''] = /^(\S+)\. \d+ IN (TXT|MX|CNAME) (.+)$/.exec(line) ?? [];
    const zone = zones.get(name) ?? {};
    if (type === 'TXT')
      zones.set(
        name,
        withText(
          zone,
          [...data.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text),
        ),
      );
    if (type === 'MX') zones.set(name, withExchange(zone, data.replace(/\.$/, '')));
    if (type === 'CNAME') zones.set(name, { CNAME: data.replace(/\.$/, '') });
  }
  for (const [name, zone] of zones) dns.names.set(name, zone);
}

/** A worker's part: what a request asks of a domain's workflow is done at once, as the workflow's activity does it. */
export function checkDomainsFor({ core, processes }: Pick<TestApp, 'core' | 'processes'>): void {
  processes.ask.mockImplementation(({ input }: Extract<StartIntent, { workflow: 'domainVerification' }>) =>
    checkInBackground(core, { ...input, now: Date.now() }),
  );
}

/** The same for the tests of a file. */
export const aDomainChecker = (app: TestApp): void => beforeAll(() => checkDomainsFor(app));

/** Calls that most tests of domains make, as the first project. */
export const domainCalls = (app: () => TestApp) => {
  return {
    /** Checks at once, also where it was asked for a moment ago. */
    async verify(domain: WireDomain): Promise<WireDomain> {
      await stored.domains.change(domain.domainId, { requestedAt: null });
      return (await app().api().post(`/v1/domains/${domain.domainId}/verify`).expect(200)).body.data as WireDomain;
    },
    read: async ({ domainId }: WireDomain): Promise<WireDomain> =>
      (await app().api().get(`/v1/domains/${domainId}`).expect(200)).body.data as WireDomain,
  };
};
