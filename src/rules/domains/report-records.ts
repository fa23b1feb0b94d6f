/** A record that asks receivers for reports; advice, and no part of the verification. */
export interface ReportRecord {
  readonly purpose: 'dmarc' | 'tls';
  readonly type: 'TXT';
  readonly host: string;
  readonly value: string;
}

const DMARC = /^v=DMARC1\b/i;

/** Returns a DMARC record with another address for its reports. */
function withReports(record: string, uri: string): string {
  const tags = record
    .split(';')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const at = tags.findIndex((tag) => /^rua\s*=/i.test(tag));
  if (at === -1) return `${[...tags, `rua=${uri}`].join('; ')};`;
  const known = (tags[at] ?? '').toLowerCase().includes(uri);
  return `${tags.map((tag, index) => (index === at && !known ? `${tag},${uri}` : tag)).join('; ')};`;
}

/** Returns the records that bring reports to an address: the DMARC record that DNS has now, or the suggested one, with the address added. */
export function reportRecords(domain: string, address: string, published: string | undefined): readonly ReportRecord[] {
  const uri = `mailto:${address}`;
  const policy = published !== undefined && DMARC.test(published) ? published : 'v=DMARC1; p=none';
  return [
    { purpose: 'dmarc', type: 'TXT', host: `_dmarc.${domain}`, value: withReports(policy, uri) },
    { purpose: 'tls', type: 'TXT', host: `_smtp._tls.${domain}`, value: `v=TLSRPTv1; rua=${uri}` },
  ];
}
