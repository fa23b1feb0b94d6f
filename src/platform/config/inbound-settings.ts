import { addressList, count, filePath, flag } from './setting-kinds';

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
