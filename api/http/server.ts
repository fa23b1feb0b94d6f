import { STATUS_CODES, createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, invalid, newId } from '../../src/platform/core';
import { STATUS, errorBody, failureHeaders } from './errors';

/** Longer than any answer may take, so that a waiting client gets at least its refusal. */
const SILENCE_MS = 150_000;

interface ParserError extends Error {
  readonly code?: string;
}

/** Returns a server without a listener; what its parser cannot take for a request is refused in the form of all other failures. */
export function httpServer(app: RequestListener, publicUrl: string): Server {
  const server = createServer(app);
  // Imports send their file for longer than any other request may take; they reset their socket's time-out by sending.
  server.requestTimeout = 15 * 60_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  server.setTimeout(SILENCE_MS);
  // Answers leave in the order of their requests: when the last one is out, all are.
  const lastAnswers = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, res) => lastAnswers.set(socket, res));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const isAnswering = lastAnswers.get(socket)?.writableFinished === false;
    if (socket.writable && !isAnswering && error.code !== 'ECONNRESET') socket.end(refusalOf(failureOf(error), publicUrl));
    else socket.destroy();
  });
  // Node would close the connection without a word, and answer 417 in a form of its own; what is expected may be ignored (RFC 9110, 10.1.1).
  server.on('connect', (_incoming, socket) => {
    // Node has removed its own listener.
    socket.on('error', () => socket.destroy());
    socket.end(refusalOf(noSuchMethod(), publicUrl));
  });
  server.on('checkExpectation', (incoming, res) => server.emit('request', incoming, res));
  return server;
}

/** Maps a code of Node's HTTP parser to an error of the API. */
function failureOf({ code }: ParserError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('payload_too_large', 'The path or the headers are too long');
  if (code === 'HPE_INVALID_METHOD') return noSuchMethod();
  return invalid('', 'invalid_string', 'This is not an HTTP request');
}

const METHODS = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';

const noSuchMethod = (): AppError => new AppError('method_not_allowed', 'This method does not exist', [], { headers: { Allow: METHODS } });

function refusalOf(failure: AppError, publicUrl: string): string {
  const status = STATUS[failure.code];
  const body = JSON.stringify(errorBody(failure));
  const headers = {
    ...failureHeaders(failure, publicUrl),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': newId('req'),
    Connection: 'close',
  };
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body}`;
}
