import net from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** A request as it goes over the wire, and what its client does after it. */
export interface BrokenRequest {
  readonly name: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** `wait`: reads the answer; `end`: ends its side first; `leave` and `reset`: goes without an answer. */
  readonly then: 'wait' | 'end' | 'leave' | 'reset';
}

const WITHIN_MS = 60_000;

const of = (name: string, headers: readonly string[], body: string | Buffer, then: BrokenRequest['then'] = 'wait'): BrokenRequest => ({
  name,
  headers,
  body: Buffer.from(body as string),
  then,
});

const sized = (name: string, body: Buffer, ...headers: readonly string[]): BrokenRequest =>
  of(name, [`Content-Length: ${body.length}`, ...headers], body);

const damaged = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => (at > 1 && at % 3 === 0 ? byte ^ 0x5a : byte)));

const ENCODED = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

const compressedBadly = (whole: Buffer): readonly BrokenRequest[] =>
  Object.entries(ENCODED).flatMap(([encoding, encode]) => {
    const header = `Content-Encoding: ${encoding}`;
    const bytes = encode(whole);
    return [
      sized(`${encoding} that is none`, Buffer.from('not compressed at all'), header),
      sized(`damaged ${encoding}`, damaged(bytes), header),
      sized(`${encoding} that ends early`, bytes.subarray(0, -4), header),
      sized(`${encoding} of one byte`, Buffer.from([0xff]), header),
    ];
  });

/** The ways in which a body can be wrong that do not depend on what it says. */
export const brokenWaysOf = (whole: Buffer): readonly BrokenRequest[] => [
  sized('bytes that mean nothing', Buffer.from([0, 255, 254, 13, 10, 0x7b, 0x22])),
  sized('half of it', whole.subarray(0, whole.length / 2)),
  of('longer than it says', ['Content-Length: 1'], whole),
  of('shorter than it says', [`Content-Length: ${whole.length + 100}`], whole, 'end'),
  of('a length that is none', ['Content-Length: many'], whole),
  of('two lengths', ['Content-Length: 1', 'Content-Length: 2'], whole),
  of('a length, and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `5\r\nabcde\r\n0\r\n\r\n`),
  of('chunks without a length', ['Transfer-Encoding: chunked'], 'zz\r\nabc\r\n0\r\n\r\n'),
  of('a chunk longer than it says', ['Transfer-Encoding: chunked'], '2\r\nabcdef\r\n0\r\n\r\n'),
  of('chunks that end early', ['Transfer-Encoding: chunked'], '10\r\n{"a"', 'end'),
  ...compressedBadly(whole),
  of('a client that leaves', [`Content-Length: ${whole.length}`], whole.subarray(0, 3), 'leave'),
  of('a client that leaves within a chunk', ['Transfer-Encoding: chunked'], '10\r\n{"a"', 'leave'),
  of('a client that breaks the connection', [`Content-Length: ${whole.length}`], whole.subarray(0, 3), 'reset'),
  of('a client that is gone before its body', [`Content-Length: ${whole.length}`], '', 'reset'),
];

/** Sends a request as it is. Resolves to the status of the answer, to null where there is none, once the connection is over. */
export function sendBroken(url: string, line: string, { headers, body, then }: BrokenRequest): Promise<number | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    let text = '';
    socket.setTimeout(WITHIN_MS, () => reject(new Error(`${line} is not answered`)));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))).on('error', () => undefined);
    socket.on('close', () => resolve(/^HTTP\/1\.1 (\d{3})/.test(text) ? Number(text.slice(9, 12)) : null));
    const head = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
    socket.write(Buffer.concat([Buffer.from(head), body]), () => {
      if (then === 'end') socket.end();
      if (then === 'leave') socket.destroy();
      if (then === 'reset') socket.resetAndDestroy();
    });
  });
}
