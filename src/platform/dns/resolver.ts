import dns, { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { askForOddName, isOddName } from './odd-names';
import { hostName } from '../../rules/domains/answers';

/** What DNS said of a name: records, for certain none, or nothing to rely on (SERVFAIL, a refusal, no answer in time). */
export type Answer<Entry> =
  { readonly said: 'found'; readonly records: readonly Entry[] } | { readonly said: 'none' } | { readonly said: 'unknown' };

export interface MailExchange {
  /** In small letters without a dot at its end; empty where the domain says that it takes no mail (RFC 7505). */
  readonly host: string;
  readonly preference: number;
}

/** Looks names up. No method throws. */
export interface Dns {
  /** Resolves to the texts at a name, the strings of each put together (RFC 7208, section 3.3). */
  txt(name: string): Promise<Answer<string>>;
  /** Resolves to the exchangers, most preferred first. */
  mx(name: string): Promise<Answer<MailExchange>>;
  /** Resolves to where the name itself points, without following further. */
  cname(name: string): Promise<Answer<string>>;
  /** Resolves to IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<Answer<string>>;
  /** Records of any type, as `resolve` of Node has them. */
  records(name: string, type: string): Promise<Answer<unknown>>;
}

const TRY_MS = 1_000;
const TRIES = 2;
const PORT = 53;

/** c-ares says these when the name, or what was asked of it, is not there; or when it can be no name at all. */
const ABSENT: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Creates a resolver. `servers`: `host[:port],…` as in DNS_SERVERS; without it the system's. A name among them is looked up once. */
export function createDns(servers?: string): Dns {
  let made: Promise<Resolver> | null = null;
  const resolver = (): Promise<Resolver> => {
    made ??= makeResolver(servers).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
  const ask = async <Entry>(look: (using: Resolver) => Promise<readonly Entry[]>): Promise<Answer<Entry>> => {
    // That the server itself is not found says nothing of what it would be asked for.
    const using = await resolver().catch(() => null);
    if (!using) return { said: 'unknown' };
    try {
      const records = await look(using);
      return records.length > 0 ? { said: 'found', records } : { said: 'none' };
    } catch (error) {
      return { said: ABSENT.has(String((error as NodeJS.ErrnoException).code)) ? 'none' : 'unknown' };
    }
  };
  return {
    txt: (name) => ask(async (using) => (await using.resolveTxt(name)).map((strings) => strings.join(''))),
    mx: (name) => ask(async (using) => (await using.resolveMx(name)).map(toExchange).sort((a, b) => a.preference - b.preference)),
    cname: (name) => ask(async (using) => (await using.resolveCname(name)).map(hostName)),
    records: (name, type) => ask((using) => recordsOf(using, name, type)),
    addresses: async (name) => {
      const [four, six] = await Promise.all([ask((using) => using.resolve4(name)), ask((using) => using.resolve6(name))]);
      const records = [four, six].flatMap((answer) => (answer.said === 'found' ? answer.records : []));
      if (records.length > 0) return { said: 'found', records };
      return { said: four.said === 'unknown' || six.said === 'unknown' ? 'unknown' : 'none' };
    },
  };
}

async function recordsOf(using: Resolver, name: string, type: string): Promise<readonly unknown[]> {
  if (!isOddName(name)) return (await using.resolve(name, type)) as readonly unknown[];
  return askForOddName(using.getServers()[0] ?? '', name, type, TRY_MS);
}

const toExchange = ({ exchange, priority }: { exchange: string; priority: number }): MailExchange => ({
  host: hostName(exchange),
  preference: priority,
});

async function makeResolver(servers: string | undefined): Promise<Resolver> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(await Promise.all(servers.split(',').map(addressOf)));
  return resolver;
}

/** Resolves to a server as the resolver takes it: an address, with its port. */
async function addressOf(server: string): Promise<string> {
  const [, bracketed, plain, port = PORT] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(server.trim()) ?? [];
  const host = bracketed ?? plain ?? '';
  const address = isIP(host) === 0 ? (await dns.lookup(host)).address : host;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
