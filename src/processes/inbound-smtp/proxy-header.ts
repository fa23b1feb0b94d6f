import net from 'node:net';

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const FIXED_BYTES = SIGNATURE.length + 4;
/** With everything that may follow the addresses and is passed over; no proxy sends near that much. */
const MOST_BYTES = 4_096;
const HEADER_MS = 30_000;

const [LOCAL, PROXY] = [0x20, 0x21];
const [TCP4, TCP6] = [0x11, 0x21];
/** The connection is the proxy's own, or of a kind that has no addresses. */
const NO_HOST = 'PROXY UNKNOWN\r\n';
/** The sending host is to come again: its mail is not at fault. */
const REFUSAL = '421 4.3.0 Invalid PROXY header\r\n';
const LINGER_MS = 1_000;

const BEGINNING = 'PROXY ';
/** With its line break (2.1). */
const MOST_OF_LINE = 107;
const LINE = /^PROXY (?:UNKNOWN(?: [^\r\n]*)?|TCP([46]) (\S+) (\S+) \d{1,5} \d{1,5})\r\n$/;

/** The received bytes are not a header. */
const MALFORMED = 'malformed';

/** Translates a whole header of version 2 into the line of version 1 (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt, 2.2). */
function asVersion1(header: Buffer): string | null {
  const [command, family] = [header[SIGNATURE.length], header[SIGNATURE.length + 1]];
  if (command === LOCAL) return NO_HOST;
  if (command !== PROXY) return null;
  const addresses = header.subarray(FIXED_BYTES);
  if (family === TCP4) return lineOf('TCP4', addresses, 4);
  return family === TCP6 ? lineOf('TCP6', addresses, 16) : NO_HOST;
}

function lineOf(family: 'TCP4' | 'TCP6', addresses: Buffer, size: 4 | 16): string | null {
  if (addresses.length < 2 * size + 4) return null;
  const [from, to] = [addresses.subarray(0, size), addresses.subarray(size, 2 * size)].map(addressIn);
  return `PROXY ${family} ${from} ${to} ${addresses.readUInt16BE(2 * size)} ${addresses.readUInt16BE(2 * size + 2)}\r\n`;
}

function addressIn(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(2 * group).toString(16));
  return new net.SocketAddress({ family: 'ipv6', address: groups.join(':') }).address;
}

/** Reads the length of the header that begins so; null while that has not come. */
function lengthOf(begun: Buffer): number | null {
  return begun.length < FIXED_BYTES ? null : FIXED_BYTES + begun.readUInt16BE(FIXED_BYTES - 2);
}

const isVersion2 = (begun: Buffer): boolean => {
  const compared = Math.min(begun.length, SIGNATURE.length);
  return begun.subarray(0, compared).equals(SIGNATURE.subarray(0, compared));
};

/** Returns the bytes that the SMTP server should read instead of the received ones; null while more must arrive. */
function translated(begun: Buffer): Buffer | null | typeof MALFORMED {
  if (!isVersion2(begun)) return checkedLine(begun);
  const length = lengthOf(begun);
  if (length === null) return null;
  if (length > MOST_BYTES) return MALFORMED;
  if (begun.length < length) return null;
  const line = asVersion1(begun.subarray(0, length));
  return line === null ? MALFORMED : Buffer.concat([Buffer.from(line), begun.subarray(length)]);
}

/** Lets a line of version 1 through as it is. */
function checkedLine(begun: Buffer): Buffer | null | typeof MALFORMED {
  const end = begun.indexOf('\n') + 1;
  const line = begun.toString('latin1', 0, end || begun.length);
  if (line.length > MOST_OF_LINE) return MALFORMED;
  if (end === 0) return BEGINNING.startsWith(line.slice(0, BEGINNING.length)) ? null : MALFORMED;
  return namesHosts(line) ? begun : MALFORMED;
}

function namesHosts(line: string): boolean {
  const [whole, family, from = '', to = ''] = LINE.exec(line) ?? [];
  return whole !== undefined && (family === undefined || [from, to].every((address) => net.isIP(address) === Number(family)));
}

/** Checks headers, and replaces those of version 2 with the line of version 1, which is all that the SMTP server reads, before it sees the connection. */
export class ProxyHeaders {
  private readonly waiting = new Set<net.Socket>();

  constructor(server: net.Server, proxies: readonly string[]) {
    const listed = new net.BlockList();
    for (const proxy of proxies) listed.addAddress(proxy, net.isIPv6(proxy) ? 'ipv6' : 'ipv4');
    const serve = server.listeners('connection') as ((socket: net.Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      const go = (): void => serve.forEach((listener) => listener.call(server, socket));
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && listed.check(remoteAddress, net.isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) this.read(socket, go);
      else go();
    });
  }

  /** Ends connections whose header has not come. */
  close(): void {
    for (const socket of this.waiting) socket.destroy();
  }

  private read(socket: net.Socket, go: () => void): void {
    let begun = Buffer.alloc(0);
    const ended = (): void => {
      this.waiting.delete(socket);
      socket.removeListener('readable', more).setTimeout(0).removeListener('timeout', late);
      socket.removeListener('end', late);
    };
    const late = (): void => void socket.destroy();
    const more = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
        begun = Buffer.concat([begun, chunk]);
      }
      const instead = translated(begun);
      if (begun.length === 0 || instead === null) return;
      ended();
      socket.removeListener('error', late).removeListener('close', ended);
      if (instead === MALFORMED) return refuse(socket);
      socket.unshift(instead);
      go();
    };
    this.waiting.add(socket);
    socket.once('close', ended).on('error', late).once('end', late).setTimeout(HEADER_MS, late).on('readable', more);
  }
}

function refuse(socket: net.Socket): void {
  socket.on('error', () => undefined).end(REFUSAL);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
