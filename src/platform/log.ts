import pino from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import type { Config } from './config';

export type { Logger } from 'pino';

/** Keys, and what looks like an address; bounded, so that a long text without any is gone through once. */
const SECRETS = /\b(sk|pk|whsec)_[\w+/=]+|[^\s"'<>{}:=]{1,64}@[^\s"'<>{},]+/g;
const LONGEST = 2_000;

const scrub = (text: string): string => text.slice(0, LONGEST).replaceAll(SECRETS, '[redacted]');

/** Describes an error and its causes without the data that a driver may have put into it: a failed write carries its documents, and duplicate keys the values. */
export function describeFailure(error: unknown, depth = 4): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: scrub(error.message.replace(/dup key:.*/s, 'dup key')),
    stack: scrub((error.stack ?? '').split('\n', 12).slice(1).join('\n')),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(error.cause !== undefined && depth > 0 && { cause: describeFailure(error.cause, depth - 1) }),
  };
}

/** Headers and fields that could carry a secret or an address; pino replaces their values. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  '*.email',
  '*.to',
  '*.html',
  '*.text',
  '*.secret',
  'err.command',
];

const CLEAR_LINE = '\u001b[2K';

/**
 * Returns the stream of lines for people, on stdout. On a terminal, each one clears the line that says what the platform waits for while
 * it starts.
 */
function readableLines(): DestinationStream {
  const isTerminal = process.stdout.isTTY === true;
  const format = prettyFactory({
    colorize: isTerminal && isColorSupported,
    singleLine: true,
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss.l',
  });
  const stdout = pino.destination({ dest: 1, sync: true });
  return { write: (line) => void stdout.write(`${isTerminal ? CLEAR_LINE : ''}${format(line)}`) };
}

/**
 * Creates the logger. ERROR: a person must act. WARN: something was mended or refused. INFO: life of the process. JSON lines in production, readable otherwise; lines go to
 * `destination` where one is given.
 */
export function createLogger(config: Pick<Config, 'NODE_ENV' | 'LOG_LEVEL'>, part: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: config.LOG_LEVEL,
    base: { part },
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: describeFailure, error: describeFailure },
  };
  const lines = destination ?? (config.NODE_ENV === 'production' ? null : readableLines());
  return lines ? pino(options, lines) : pino(options);
}
