import { addressList, count, filePath, flag } from './setting-kinds';

/** Settings of the server that takes mail. */
export const inboundSettings = {
  INBOUND_SMTP_PORT: count(2526, 0, 65_535).describe('port for bounces, complaints, unsubscribe mail and inbound mail'),
  INBOUND_TLS_CERT: filePath.describe('PEM file with the certificate of MX_HOST and its chain; turns STARTTLS on; read again every hour'),
  INBOUND_TLS_KEY: filePath.describe('file with its private key, in PEM form, without a password'),
  INBOUND_TLS_SELF_SIGNED: flag(false).describe(
    'offer STARTTLS with a certificate that is made at the start, where no file is named; true in the embedded default',
  ),
  INBOUND_PROXIES: addressList
    .optional()
    .describe(
      'IP addresses, with commas, of proxies that begin each connection with a header of the PROXY protocol, version 1 or 2; off without it',
    ),
  INBOUND_CONNECTIONS_PER_HOST: count(100, 1).describe('connections that one sending host may have at once with an smtp process'),
  INBOUND_ATTACHMENT_BYTES: count(10_485_760, 0, 15_728_640).describe(
    'bytes of attachments that are kept of one message that came in, each attachment whole or not at all; 0 keeps none',
  ),
  INBOUND_MESSAGES_PER_MINUTE: count(1_000).describe(
    'messages a minute that one sending host may begin with an smtp process; 0 for any number',
  ),
};

type InboundFiles = Readonly<Partial<Record<'INBOUND_TLS_CERT' | 'INBOUND_TLS_KEY', string | undefined>>>;

/** Returns why mail cannot be taken with what is given of these settings; null when it can. */
export function inboundFault({ INBOUND_TLS_CERT, INBOUND_TLS_KEY }: InboundFiles): string | null {
  if ((INBOUND_TLS_CERT === undefined) === (INBOUND_TLS_KEY === undefined)) return null;
  return INBOUND_TLS_CERT === undefined ? 'INBOUND_TLS_KEY needs INBOUND_TLS_CERT' : 'INBOUND_TLS_CERT needs INBOUND_TLS_KEY';
}
