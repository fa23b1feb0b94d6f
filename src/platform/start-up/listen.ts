import type { AddressInfo, Server } from 'node:net';
import { CannotStart } from './cannot-start';

/** Address at which a server listens, and the setting that configures it. */
export interface ListenAddress {
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
