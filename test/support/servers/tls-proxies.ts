import http2 from 'node:http2';
import net from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import tls from 'node:tls';
import type { TlsOptions } from 'node:tls';
import type { Certificate } from '../../../src/platform/secrets/certificate';
import type { Authority } from './certificates';

/** A door with TLS in front of a server without. */
export interface TlsProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** The certificate that clients see, and the authority that must have signed their own, if they need one. */
export interface Door {
  readonly as: Certificate;
  readonly clientsOf?: Authority;
}

const optionsOf = ({ as, clientsOf }: Door): TlsOptions => ({
  ...as,
  ...(clientsOf && { ca: clientsOf.cert, requestCert: true, rejectUnauthorized: true }),
});

async function opened(server: Server, open: ReadonlySet<{ destroy(): void }>, also: () => void = () => undefined): Promise<TlsProxy> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const each of open) each.destroy();
    also();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Hands bytes on to `port`. */
export function tlsProxy(door: Door, port: number): Promise<TlsProxy> {
  const open = new Set<net.Socket>();
  const server = tls.createServer(optionsOf(door), (client) => {
    const upstream = net.connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.pipe(upstream).pipe(client);
  });
  return opened(server, open);
}

/** Inspects a gRPC call; a status refuses it. */
export type Inspect = (path: string, headers: http2.IncomingHttpHeaders) => number | null;

/** Hands gRPC calls on to `port`, one by one, unless `inspect` refuses them. */
export function grpcProxy(door: Door, port: number, inspect: Inspect = () => null): Promise<TlsProxy> {
  const upstream = http2.connect(`http://127.0.0.1:${port}`).on('error', () => undefined);
  const open = new Set<http2.Http2Session>();
  const server = http2.createSecureServer({ ...optionsOf(door), ALPNProtocols: ['h2'] });
  server.on('session', (session) => open.add(session.on('error', () => undefined)));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const refusal = inspect(String(headers[':path']), headers);
    if (refusal === null) handOn(upstream, stream, headers);
    else stream.respond({ 'content-type': 'application/grpc', 'grpc-status': String(refusal) }, { endStream: true });
  });
  return opened(server, open, () => upstream.destroy());
}

function handOn(upstream: http2.ClientHttp2Session, stream: http2.ServerHttp2Stream, { ...headers }: http2.IncomingHttpHeaders): void {
  delete headers[':scheme'];
  delete headers[':authority'];
  const call = upstream.request(headers).on('error', () => undefined);
  let trailers: http2.IncomingHttpHeaders = {};
  stream.pipe(call);
  stream.on('close', () => call.close(http2.constants.NGHTTP2_CANCEL));
  call.on('trailers', (given) => (trailers = given));
  call.on('response', (given, flags) => {
    if (stream.destroyed) return;
    const isAll = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(given, isAll ? { endStream: true } : { waitForTrailers: true });
    if (isAll) return;
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    call.pipe(stream);
  });
}
