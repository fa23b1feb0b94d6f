import { keyPairIn, selfSigned } from '../../platform/secrets';
import type { Config } from '../../platform/config';

type Settings = Pick<Config, 'INBOUND_TLS_CERT' | 'INBOUND_TLS_KEY' | 'INBOUND_TLS_SELF_SIGNED' | 'MX_HOST'>;

/** Returns what STARTTLS shows; null where it is not offered. Reads the files that are named; throws a sentence where one is not what it should be. */
export function inboundCertificate(settings: Settings): { readonly cert: string; readonly key: string } | null {
  const { INBOUND_TLS_CERT, INBOUND_TLS_KEY, INBOUND_TLS_SELF_SIGNED, MX_HOST } = settings;
  if (INBOUND_TLS_CERT === undefined || INBOUND_TLS_KEY === undefined) return INBOUND_TLS_SELF_SIGNED ? selfSigned(MX_HOST) : null;
  const { cert, key } = keyPairIn(
    { setting: 'INBOUND_TLS_CERT', file: INBOUND_TLS_CERT },
    { setting: 'INBOUND_TLS_KEY', file: INBOUND_TLS_KEY },
  );
  return { cert: cert.toString(), key: key.toString() };
}
