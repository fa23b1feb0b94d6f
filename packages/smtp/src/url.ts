import { domainToASCII } from 'node:url';

/**
 * The mail server and its TLS mode. `opportunistic`: STARTTLS when offered, certificate unchecked; `required`: TLS with a checked certificate;
 * `insecure`: TLS without the check; `off`: plain text.
 */
export type SmtpRoute = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on (`smtps:`). */
  readonly implicitTls: boolean;
  readonly tls: 'off' | 'opportunistic' | 'required' | 'insecure';
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** The address of this machine that connections come from; by default, the system chooses. */
  readonly localAddress?: string | undefined;
};

const SMTP_PORT = 25;
const SMTPS_PORT = 465;
const TLS_MODES: readonly SmtpRoute['tls'][] = ['off', 'opportunistic', 'required', 'insecure'];

/**
 * Reads `smtp[s]://[user:pass@]host[:port][/?tls=off|opportunistic|required|insecure]`; user and password are percent-decoded. `smtps:` checks
 * the certificate unless `tls=insecure`. Throws an Error that says what is wrong and never repeats the URL, which may hold a password.
 */
export function parseSmtpUrl(url: string): SmtpRoute {
  const parsed = parse(url);
  if (parsed.protocol !== 'smtp:' && parsed.protocol !== 'smtps:') throw new Error('The SMTP URL must begin with smtp:// or smtps://');
  if (!['', '/'].includes(parsed.pathname) || parsed.hash !== '') throw new Error('The SMTP URL has a path, which means nothing here');
  const implicitTls = parsed.protocol === 'smtps:';
  return {
    host: readHost(parsed),
    port: parsed.port === '' ? (implicitTls ? SMTPS_PORT : SMTP_PORT) : Number(parsed.port),
    implicitTls,
    tls: readTls(parsed, implicitTls),
    auth: readAuth(parsed),
  };
}

/** Returns whether a host is a loopback address, so that traffic to it cannot leave the machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    // The error of `URL` repeats the text, and that may hold a password.
    throw new Error('The SMTP URL is not a URL; expected smtp[s]://[user:pass@]host:port[/?tls=...]');
  }
}

function readHost(parsed: URL): string {
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const ascii = host.includes(':') ? host : domainToASCII(decode(host, 'host'));
  if (ascii === '') throw new Error('The SMTP URL names no valid host');
  if (parsed.port === '0') throw new Error('The SMTP URL has port 0');
  return ascii;
}

function readTls(parsed: URL, implicitTls: boolean): SmtpRoute['tls'] {
  const unknown = [...parsed.searchParams.keys()].find((name) => name !== 'tls');
  if (unknown !== undefined) throw new Error('The SMTP URL has a parameter other than tls');
  const given = parsed.searchParams.getAll('tls');
  if (given.length === 0) return implicitTls ? 'required' : 'opportunistic';
  const mode = TLS_MODES.find((name) => name === given[0]);
  if (mode === undefined || given.length > 1) throw new Error(`The SMTP URL's tls must be one of ${TLS_MODES.join(', ')}`);
  if (implicitTls && mode === 'off') throw new Error('The SMTP URL asks for smtps: and for tls=off');
  return mode;
}

function readAuth(parsed: URL): SmtpRoute['auth'] {
  if (parsed.username === '' && parsed.password === '') return null;
  if (parsed.username === '' || parsed.password === '') throw new Error('The SMTP URL must give both user and password, or neither');
  return { user: decode(parsed.username, 'user'), pass: decode(parsed.password, 'password') };
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`The SMTP URL's ${what} is not valid percent-encoding`);
  }
}
