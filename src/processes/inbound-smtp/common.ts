import type { SMTPServer, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { networkOf } from '../../platform/addresses';
import { withinLimit } from '../../platform/async';
import type { Config } from '../../platform/config';
import type { Core } from '../../platform/core';
import { keyPairIn, selfSigned } from '../../platform/secrets';
import { Connections } from './connections';
import type { Counts } from './connections';
import { ProxyHeaders } from './proxy-header';
import { mailMemoryOf } from './receive-bytes';
import type { MailMemory } from './receive-bytes';

const MOST_RECIPIENTS = 100;
const COMMAND_LENGTH = 2_048;
/** RFC 5321 4.5.3.2.7. */
const IDLE_MS = 300_000;
const CLOSE_WITHIN_MS = 15_000;
/** Older versions are no better than plain text (RFC 8996). */
const OLDEST_TLS = 'TLSv1.2';

/** Time limit for the work on a message that has been read to its end. */
const TAKE_MS = 60_000;
/** A certificate is renewed days before it ends. */
const READ_CERTIFICATE_MS = 3_600_000;

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

/** Particulars of the servers of a kind. */
interface Kind {
  readonly perHost: number;
  readonly counts: Counts;
  /** Reads the certificate again, for connections from now on. */
  readonly renew: () => void;
}

/** The connections of some servers, with the memory that their mail is taken into. Proxies are heard before a server sees a connection. */
export class Reception extends Connections {
  private readonly memory: MailMemory;
  private readonly proxied: readonly ProxyHeaders[];
  private readonly renewal: NodeJS.Timeout;

  constructor(core: Core, servers: readonly SMTPServer[], { perHost, counts, renew }: Kind) {
    const memory = mailMemoryOf(core);
    super(servers, perHost, () => memory.isTight, counts);
    const { INBOUND_PROXIES } = core.config;
    this.memory = memory;
    this.proxied = INBOUND_PROXIES ? servers.map(({ server }) => new ProxyHeaders(server, INBOUND_PROXIES)) : [];
    this.renewal = setInterval(renew, READ_CERTIFICATE_MS).unref();
  }

  /** Reads a message to its end, of which `keep` bytes are kept, and resolves to what `work` does with it. Throws a refusal as `MailMemory` does. */
  async take<T>(stream: SMTPServerDataStream, session: SMTPServerSession, keep: number, work: (bytes: Buffer) => Promise<T>): Promise<T> {
    const { bytes, release } = await this.memory.receive(stream, keep, networkOf(session.remoteAddress));
    this.received(session);
    try {
      return await withinLimit(TAKE_MS, () => work(bytes));
    } finally {
      release();
    }
  }

  /** Stops accepting connections; resolves when every message that was being received is answered. */
  async close(): Promise<void> {
    clearInterval(this.renewal);
    const closed = this.servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    this.dismissAll();
    for (const each of this.proxied) each.close();
    await Promise.all(closed);
  }
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
