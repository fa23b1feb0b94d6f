import pino from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import type { Config } from '../config';
import { describeFailure } from './log-failure';

export type { Logger } from 'pino';

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
