import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import dnsPacket from 'dns-packet';
import { forTheFile } from '../run/for-the-file';

/** Records of a name, by type: texts (an array is one record in several strings), `[preference, host]`, a host, addresses. */
export interface Zone {
  readonly TXT?: readonly (string | readonly string[])[];
  readonly MX?: readonly (readonly [number, string])[];
  readonly CNAME?: string;
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
}

/** The records of a name, or the failure of asking for it. A name that is not listed does not exist. */
export type Name = Zone | 'servfail' | 'refused' | 'silence';

const RCODE = { nxdomain: 3, servfail: 2, refused: 5 } as const;
const AUTHORITATIVE = 1 << 10;
const UDP_BYTES = 512;

/** A real DNS server on loopback, over UDP and TCP, that says what `names` holds at the moment of the question. */
export class DnsServer {
  /** Keyed by name in small letters. */
  readonly names = new Map<string, Name>();
  /** `TYPE name` of each question. */
  readonly questions: string[] = [];
  private readonly sockets = new Set<net.Socket>();

  private constructor(
    private readonly udp: dgram.Socket,
    private readonly tcp: net.Server,
  ) {
    udp.on('message', (message, { port, address }) => {
      const answer = this.answerTo(message, UDP_BYTES);
      if (answer) udp.send(answer, port, address);
    });
    tcp.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      socket.on('data', (data) => {
        const answer = this.answerTo(data.subarray(2), 65_535);
        if (answer) socket.end(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]));
      });
    });
  }

  static async start(): Promise<DnsServer> {
    const tcp = net.createServer().listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const udp = dgram.createSocket('udp4');
    udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1');
    await once(udp, 'listening');
    return new DnsServer(udp, tcp);
  }

  /** The address in the form of DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.udp.address().port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([once(this.tcp.close(), 'close'), once(this.udp.close(), 'close')]);
  }

  private answerTo(message: Buffer, limit: number): Buffer | null {
    const { id, questions = [] } = dnsPacket.decode(message);
    const [question] = questions;
    const name = question?.name.toLowerCase() ?? '';
    const type = String(question?.type);
    this.questions.push(`${type} ${name}`);
    const known = this.names.get(name);
    if (known === 'silence') return null;
    const say = (rcode: number, answers: dnsPacket.Answer[], more = 0): Buffer =>
      dnsPacket.encode({ type: 'response', id: id ?? 0, flags: AUTHORITATIVE | more | rcode, questions, answers });
    if (known === undefined) return say(RCODE.nxdomain, []);
    if (typeof known === 'string') return say(RCODE[known], []);
    const packet = say(0, recordsOf(known, name, type));
    return packet.length <= limit ? packet : say(0, [], dnsPacket.TRUNCATED_RESPONSE);
  }
}

function recordsOf(zone: Zone, name: string, type: string): dnsPacket.Answer[] {
  const common = { name, ttl: 1 };
  if (zone.CNAME !== undefined) return [{ ...common, type: 'CNAME', data: zone.CNAME }];
  if (type === 'TXT') return (zone.TXT ?? []).map((data) => ({ ...common, type, data: typeof data === 'string' ? data : [...data] }));
  if (type === 'MX') return (zone.MX ?? []).map(([preference, exchange]) => ({ ...common, type, data: { preference, exchange } }));
  if (type === 'A' || type === 'AAAA') return (zone[type] ?? []).map((data) => ({ ...common, type, data }));
  return [];
}

/** A name server for the tests of a file. */
export const aNameServer = (): DnsServer =>
  forTheFile(
    () => DnsServer.start(),
    (dns) => dns.stop(),
  );
