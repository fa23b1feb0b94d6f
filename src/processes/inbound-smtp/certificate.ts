import type { Config } from '../../platform/config';
import { keyPairIn, selfSigned } from '../../platform/secrets';

type Settings = Pick<
  Config,
  'INBOUND_TLS_CERT' | 'INBOUND_TLS_KEY' | 'INBOUND_TLS_SELF_SIGNED' | 'MX_HOST' | 'SUBMISSION_TLS_CERT' | 'SUBMISSION_TLS_KEY'
>;

interface Shown {
  readonly cert: string;
  readonly key: string;
}

/** Reads a certificate and its key from the files that two settings name; null where none is named. */
function named(
  settings: Settings,
  certSetting: 'INBOUND_TLS_CERT' | 'SUBMISSION_TLS_CERT',
  keySetting: 'INBOUND_TLS_KEY' | 'SUBMISSION_TLS_KEY',
): Shown | null {
  const [certFile, keyFile] = [settings[certSetting], settings[keySetting]];
  if (certFile === undefined || keyFile === undefined) return null;
  const { cert, key } = keyPairIn({ setting: certSetting, file: certFile }, { setting: keySetting, file: keyFile });
  return { cert: cert.toString(), key: key.toString() };
}

/** Returns what STARTTLS shows; null where it is not offered. Reads the files that are named; throws a sentence where one is not what it should be. */
export function inboundCertificate(settings: Settings): Shown | null {
  const given = named(settings, 'INBOUND_TLS_CERT', 'INBOUND_TLS_KEY');
  return given ?? (settings.INBOUND_TLS_SELF_SIGNED ? selfSigned(settings.MX_HOST) : null);
}

/** Returns what programs that hand mail in are shown: the certificate of its own, or that of inbound mail. Throws as `inboundCertificate` does. */
export function submissionCertificate(settings: Settings): Shown & { readonly isOfFile: boolean } {
  const own = named(settings, 'SUBMISSION_TLS_CERT', 'SUBMISSION_TLS_KEY') ?? named(settings, 'INBOUND_TLS_CERT', 'INBOUND_TLS_KEY');
  return own ? { ...own, isOfFile: true } : { ...selfSigned(settings.MX_HOST), isOfFile: false };
}
