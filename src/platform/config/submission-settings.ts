import { z } from 'zod';
import { count, filePath, flag, addressList } from './setting-kinds';

/** Settings of the server that takes mail. */
export const inboundSettings = {
  INBOUND_SMTP_PORT: count(2526, 0, 65_535).describe('port for bounces, complaints, unsubscribe mail and inbound mail'),
  INBOUND_TLS_CERT: filePath.describe('PEM file with the certificate of MX_HOST; turns STARTTLS on'),
  INBOUND_TLS_KEY: filePath.describe('PEM file with its private key'),
  INBOUND_TLS_SELF_SIGNED: flag(false).describe('offer STARTTLS with a self-signed certificate; true in the embedded default'),
  INBOUND_PROXIES: addressList.optional().describe('IP addresses, with commas, of proxies that use the PROXY protocol'),
  INBOUND_CONNECTIONS_PER_HOST: count(100, 1).describe('connections of one host to an smtp process'),
  INBOUND_ATTACHMENT_BYTES: count(10_485_760, 0, 15_728_640).describe('bytes of attachments kept of an inbound message'),
  INBOUND_MESSAGES_PER_MINUTE: count(1_000).describe('messages a minute of one host to an smtp process; 0 for any number'),
};

const port = z.coerce.number().int().min(0).max(65_535).optional();

/** Settings of the server that programs hand mail in to. */
export const submissionSettings = {
  SUBMISSION_HOST: z
    .string()
    .min(1)
    .optional()
    .describe('host that programs connect to, as the console shows it; default the host of PUBLIC_URL'),
  SUBMISSION_PORT: port.describe('port of SMTP submission with STARTTLS, usually 587; off without it (docs/smtp.md)'),
  SUBMISSION_TLS_PORT: port.describe('port of SMTP submission with TLS, usually 465; off without it'),
  SUBMISSION_TLS_CERT: filePath.describe('PEM file with its certificate; default INBOUND_TLS_CERT'),
  SUBMISSION_TLS_KEY: filePath.describe('PEM file with its private key; default INBOUND_TLS_KEY'),
  SUBMISSION_AUTH_FAILURES_PER_MINUTE: count(10, 1).describe('wrong keys a minute from one address, before 421'),
  SUBMISSION_CONNECTIONS_PER_HOST: count(100, 1).describe('connections of one address to an smtp process'),
  SUBMISSION_REFUSE_SUPPRESSED: flag(false).describe('refuse suppressed recipients with 550 5.1.1; otherwise they are skipped'),
};

type Given = Readonly<
  Partial<
    Record<'SUBMISSION_TLS_CERT' | 'INBOUND_TLS_CERT', string | undefined> &
      Record<'SUBMISSION_PORT' | 'SUBMISSION_TLS_PORT', number | undefined> & { readonly INBOUND_TLS_SELF_SIGNED: boolean }
  >
>;

/** Returns why mail cannot be handed in without a certificate; null when it can, or is off. `npm start` makes a certificate of its own. */
export function withoutCertificate(given: Given): string | null {
  const listening = (['SUBMISSION_PORT', 'SUBMISSION_TLS_PORT'] as const).find((name) => given[name] !== undefined);
  const hasCertificate = given.SUBMISSION_TLS_CERT !== undefined || given.INBOUND_TLS_CERT !== undefined || given.INBOUND_TLS_SELF_SIGNED;
  return listening !== undefined && !hasCertificate ? `${listening} needs SUBMISSION_TLS_CERT and SUBMISSION_TLS_KEY` : null;
}
