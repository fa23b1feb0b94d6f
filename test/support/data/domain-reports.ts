/** A record of an aggregate report. */
export interface ReportedRow {
  readonly ip?: string;
  readonly count?: number;
  readonly disposition?: string;
  /** Whether the policy was met by each. */
  readonly dkim?: 'pass' | 'fail';
  readonly spf?: 'pass' | 'fail';
  readonly from?: string;
  /** A signature that passed, as `<selector>@<domain>`. */
  readonly signedBy?: string;
  readonly envelope?: string;
}

interface ReportedMail {
  readonly id: string;
  readonly domain: string;
  readonly day: Date;
  readonly policy?: string;
  readonly rows: readonly ReportedRow[];
}

const DAY_SECONDS = 86_400;

function record(
  { ip = '192.0.2.1', count = 1, disposition = 'none', dkim = 'pass', spf = 'fail', ...row }: ReportedRow,
  domain: string,
): string {
  return `<record>
    <row><source_ip>${ip}</source_ip><count>${count}</count>
      <policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row>
    <identifiers><header_from>${row.from ?? domain}</header_from></identifiers>
    <auth_results>${signature(row)}${envelope(row)}</auth_results>
  </record>`;
}

function signature({ signedBy }: ReportedRow): string {
  if (signedBy === undefined) return '';
  const [selector, signer] = signedBy.split('@');
  return `<dkim><domain>${signer}</domain><selector>${selector}</selector><result>pass</result></dkim>`;
}

const envelope = ({ envelope: domain }: ReportedRow): string =>
  domain === undefined ? '' : `<spf><domain>${domain}</domain><result>pass</result></spf>`;

/** An aggregate report as mailbox providers write it (RFC 7489 appendix C), on one UTC day. */
export const dmarcReport = ({ id, domain, day, policy = 'none', rows }: ReportedMail): string => {
  const begin = Math.floor(day.getTime() / 1_000);
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata><org_name>Mailbox Inc.</org_name><email>noreply@sender.com</email><report_id>${id}</report_id>
    <date_range><begin>${begin}</begin><end>${begin + DAY_SECONDS - 1}</end></date_range></report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>${policy}</p><sp>none</sp><pct>100</pct></policy_published>
  ${rows.map((row) => record(row, domain)).join('\n')}
</feedback>`;
};

/** A report on TLS (RFC 8460), on one UTC day. */
export const tlsReport = (id: string, domain: string, day: Date): string =>
  JSON.stringify({
    'organization-name': 'Mailbox Inc.',
    'date-range': {
      'start-datetime': day.toISOString(),
      'end-datetime': new Date(day.getTime() + (DAY_SECONDS - 1) * 1_000).toISOString(),
    },
    'contact-info': 'noreply@sender.com',
    'report-id': id,
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-string': ['version: STSv1'], 'policy-domain': domain, 'mx-host': ['mx.example.net'] },
        summary: { 'total-successful-session-count': 5_326, 'total-failure-session-count': 303 },
        'failure-details': [
          { 'result-type': 'certificate-expired', 'sending-mta-ip': '2001:db8:abcd:0012::1', 'failed-session-count': 100 },
          { 'result-type': 'starttls-not-supported', 'sending-mta-ip': '2001:db8:abcd:0013::1', 'failed-session-count': 203 },
        ],
      },
    ],
  });

/** A file of a mail. */
export interface ReportFile {
  readonly type: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A mail that brings files. */
export function mailWithFiles(author: string, ...files: readonly ReportFile[]): string {
  const parts = files.map(
    ({ type, name, bytes }) =>
      `--=b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`,
  );
  const head = `From: <${author}>\r\nTo: <dmarc@bounce.test>\r\nSubject: Report domain\r\nMIME-Version: 1.0\r\n`;
  return `${head}Content-Type: multipart/mixed; boundary="=b"\r\n\r\n--=b\r\nContent-Type: text/plain\r\n\r\nA report.\r\n${parts.join('')}--=b--\r\n`;
}
