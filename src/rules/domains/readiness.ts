/** Sums of all reports on one day. */
export interface ReportedDay {
  readonly day: Date;
  readonly messages: number;
  readonly aligned: number;
}

export interface Readiness {
  readonly quarantine: boolean;
  readonly reject: boolean;
  /** Clean days in a row, up to the last one with a report; days without reports are passed over. */
  readonly cleanDays: number;
  /** The last day with a report on mail. */
  readonly lastDay: Date | null;
}

const DAY_MS = 86_400_000;
/** A day is clean if at least this share of its mail passed DMARC: forwarding breaks some of the rest. */
const CLEAN_SHARE = 0.98;
const FOR_QUARANTINE = 14;
const FOR_REJECT = 30;
/** Older reports say nothing of the mail of today. */
const FRESH_DAYS = 7;

/** Number of days that are checked. */
export const READINESS_DAYS = 90;

/**
 * Returns whether a domain can ask receivers for more than it does: 14 clean days in a row for `quarantine`; 30 for `reject`, with a policy of `quarantine` or
 * `reject` published already. The last reported day is at most seven days ago.
 */
export function readiness(days: readonly ReportedDay[], published: string | null, now: Date): Readiness {
  const reported = days.filter(({ messages }) => messages > 0).sort((a, b) => b.day.getTime() - a.day.getTime());
  const lastDay = reported[0]?.day ?? null;
  const broken = reported.findIndex(({ messages, aligned }) => aligned < messages * CLEAN_SHARE);
  const cleanDays = broken === -1 ? reported.length : broken;
  const isFresh = lastDay !== null && now.getTime() - lastDay.getTime() < (FRESH_DAYS + 1) * DAY_MS;
  return {
    quarantine: isFresh && cleanDays >= FOR_QUARANTINE,
    reject: isFresh && cleanDays >= FOR_REJECT && (published === 'quarantine' || published === 'reject'),
    cleanDays,
    lastDay,
  };
}

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
