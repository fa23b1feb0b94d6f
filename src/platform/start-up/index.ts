import type { AddressInfo, Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../log';

/** Why a process does not start: a sentence for the person who started it. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** Address at which a server listens, and the setting that configures it. */
interface ListenAddress {
  readonly variable: string;
  readonly port: number;
  readonly host: string;
}

function sentenceFor({ variable, port, host }: ListenAddress, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken by another program. Set ${variable} to a free one, or to 0 for any.`;
  return `Cannot listen on port ${port} of ${host} (${code ?? message}). Set ${variable} to another one.`;
}

/** Listens there. Resolves with the port; throws `CannotStart` with a sentence that names the port and its setting. */
export function listenAt(server: Server, address: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(new CannotStart(sentenceFor(address, error), { cause: error }));
    server.once('error', refuse);
    server.listen(address.port, address.host, () => {
      server.off('error', refuse);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Reports why this process cannot continue, and ends it: to the supervisor if there is one that can act on it, otherwise on standard error.
 */
export function endWith(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CannotStart && process.send) {
    process.send({ cannotStart: message }, () => process.exit(1));
    return;
  }
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Rejects with the first error that nothing handles, be it of a promise; later ones change nothing, since the process is to end. */
export const unhandledError = (): Promise<never> => new Promise((_, reject) => process.on('uncaughtException', reject));

/** The steps by which a process stops receiving work. */
interface Leave {
  /** Tells them to send nothing more. */
  readonly say: () => void;
  /** Time that it continues to work after a signal, until every client has noticed. */
  readonly seconds: number;
}

/**
 * Resolves when the process is to stop: with the first SIGTERM or SIGINT, plus the time of `leave`. A second signal changes nothing: under
 * npm, Ctrl-C arrives from the terminal and again from npm, and the second one must not interrupt what the first one lets finish. An
 * unhandled error is logged and ends the process in the same way, but at once and with exit code 1.
 */
export function stopSignal(log: Pick<Logger, 'fatal' | 'info'>, leave?: Leave): Promise<void> {
  const signaled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const left = signaled.then(async () => {
    leave?.say();
    if (!leave?.seconds) return;
    log.info({ seconds: leave.seconds }, 'no longer ready; continuing until the process stops');
    await wait(leave.seconds * 1_000);
  });
  const failed = unhandledError().catch((error: unknown) => {
    log.fatal({ err: error }, 'Unhandled error; the process ends');
    process.exitCode = 1;
    leave?.say();
  });
  return Promise.race([left, failed]);
}
