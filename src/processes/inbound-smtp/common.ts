import type { SMTPServer, SMTPServerOptions } from 'smtp-server';
import type { Config } from '../../platform/config';
import type { Core } from '../../platform/core';
import { keyPairIn, selfSigned } from '../../platform/secrets';

const MOST_RECIPIENTS = 100;
const COMMAND_LENGTH = 2_048;
/** RFC 5321 4.5.3.2.7. */
const IDLE_MS = 300_000;
const CLOSE_WITHIN_MS = 15_000;
/** Older versions are no better than plain text (RFC 8996). */
const OLDEST_TLS = 'TLSv1.2';

/** Time limit for the work on a message that has been read to its end. */
export const TAKE_MS = 60_000;
/** A certificate is renewed days before it ends. */
export const READ_CERTIFICATE_MS = 3_600_000;

/** Sendmail's commands for its own people. */
export const NO_COMMANDS = ['WIZ', 'SHELL', 'KILL'] as const;

/** Returns the options that all SMTP servers of this process share. */
export const commonOptions = ({ MX_HOST, INBOUND_PROXIES }: Pick<Config, 'MX_HOST' | 'INBOUND_PROXIES'>): SMTPServerOptions => ({
  name: MX_HOST,
  banner: 'Lettermill',
  minVersion: OLDEST_TLS,
  // No host on the way can be made to use TLS by it (RFC 8689).
  hideREQUIRETLS: true,
  ...(INBOUND_PROXIES && { useProxy: INBOUND_PROXIES }),
  disableReverseLookup: true,
  maxRecipients: MOST_RECIPIENTS,
  maxCommandLength: COMMAND_LENGTH,
  socketTimeout: IDLE_MS,
  closeTimeout: CLOSE_WITHIN_MS,
});

/** Logs failed connections by their code: the text of an error may quote what the other side said. That a server cannot listen is said by who started it. */
export function logFailures(server: SMTPServer, { log }: Pick<Core, 'log'>, message: string): void {
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen') log.warn({ failure: error.code ?? error.name }, message);
  });
}

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
