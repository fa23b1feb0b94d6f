import { randomInt } from 'node:crypto';
import dgram from 'node:dgram';
import dnsPacket from 'dns-packet';
import type { Answer as DnsRecord, RecordType } from 'dns-packet';
import { isIPv6 } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const HOST_NAME = /^[a-z0-9._*-]+$/i;
const MOST_ID = 65_536;
const ADDRESS = /^(?:\[(.+)\]|([^:]+)|(.+))(?::(\d+))?$/;
const RCODE = 0b1111;
const [NO_ERROR, NO_SUCH_NAME] = [0, 3];

/** c-ares asks for names of hosts only. Names in SPF and DKIM may have any letter, such as those of a sender's address. */
export const isOddName = (name: string): boolean => !HOST_NAME.test(name);

/** Asks one of the servers (`address` or `address:port`) for a name that c-ares refuses to ask for. Rejects with the codes that Node has for what goes wrong. */
export async function askForOddName(server: string, name: string, type: string, timeoutMs: number): Promise<readonly unknown[]> {
  const id = randomInt(MOST_ID);
  const question = dnsPacket.encode({
    type: 'query',
    id,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ name, type: type as RecordType }],
  });
  const reply = await exchange(server, question, id, timeoutMs);
  const code = (reply.flags ?? 0) & RCODE;
  if (code === NO_SUCH_NAME) throw failure('ENOTFOUND');
  if (code !== NO_ERROR || reply.flag_tc) throw failure('ESERVFAIL');
  return (reply.answers ?? []).filter((answer) => answer.type === type).map(asNodeHasIt);
}

const failure = (code: string): Error => Object.assign(new Error(`DNS: ${code}`), { code });

async function exchange(server: string, question: Buffer, id: number, timeoutMs: number): Promise<dnsPacket.DecodedPacket> {
  const [, bracketed, plain, six = '', port = '53'] = ADDRESS.exec(server) ?? [];
  const address = bracketed ?? plain ?? six;
  const socket = dgram.createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const over = new AbortController();
  try {
    const reply = new Promise<dnsPacket.DecodedPacket>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (message) => {
        const packet = decoded(message);
        if (packet?.id === id && packet.type === 'response') resolve(packet);
      });
      // A connected socket hears that server alone.
      socket.connect(Number(port), address, () => socket.send(question));
    });
    const late = wait(timeoutMs, null, { signal: over.signal, ref: false }).catch(() => null);
    const packet = await Promise.race([reply, late]);
    if (!packet) throw failure('ETIMEOUT');
    return packet;
  } finally {
    over.abort();
    socket.close();
  }
}

function decoded(message: Buffer): dnsPacket.DecodedPacket | null {
  try {
    return dnsPacket.decode(message);
  } catch {
    return null;
  }
}

function asNodeHasIt(record: DnsRecord): unknown {
  if (record.type === 'MX') return { exchange: record.data.exchange, priority: record.data.preference ?? 0 };
  if (record.type === 'TXT') return [record.data].flat().map(String);
  return 'data' in record ? record.data : null;
}
