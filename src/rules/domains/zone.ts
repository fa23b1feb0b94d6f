import type { DnsRecord } from './records';

/** Limit for a string within a TXT record (RFC 1035 3.3.14). */
const MOST_BYTES = 255;
const TTL_SECONDS = 3_600;

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Returns the strings of a text of a record; receivers put them together again (RFC 6376 3.6.2.2, RFC 7208 3.3). */
const stringsOf = (text: string): readonly string[] => text.match(new RegExp(`.{1,${MOST_BYTES}}`, 'gs')) ?? [''];

function dataOf({ type, value }: Pick<DnsRecord, 'type' | 'value'>): string {
  return type === 'TXT' ? stringsOf(value).map(quoted).join(' ') : `${value}.`;
}

/** Returns a record as a line of a zone file (RFC 1035 5.1), its names written out in full. */
export const zoneLine = (record: Pick<DnsRecord, 'type' | 'host' | 'value'>): string =>
  `${record.host}. ${TTL_SECONDS} IN ${record.type} ${dataOf(record)}`;

const REMARKS: Readonly<Partial<Record<DnsRecord['key'], string>>> = {
  spf: 'One SPF record at a name: where there is one already, add the include to it and leave this line out.',
  dmarc: 'One DMARC record at a name: where there is one already, keep it and leave this line out.',
};

/** Returns the records of a domain as a zone file, to be taken over by a name server or by the import of a DNS provider. */
export function zoneFile(domain: string, records: readonly DnsRecord[]): string {
  const lines = records.flatMap((record) => [`; ${record.purpose}`, ...remark(record), zoneLine(record)]);
  return [`; What to publish for ${domain}. It adds to the zone and replaces nothing.`, ...lines, ''].join('\n');
}

function remark({ key }: DnsRecord): readonly string[] {
  const text = REMARKS[key];
  return text === undefined ? [] : [`; ${text}`];
}
