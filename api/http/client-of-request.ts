import type { IncomingMessage } from 'node:http';
import { clientAddress } from '../../src/platform/addresses';
import type { Core } from '../../src/platform/core';

/** Returns the address that a request comes from, behind as many proxies as the configuration trusts. */
export const clientOfRequest = (
  { config }: Pick<Core, 'config'>,
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
): string => clientAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString(), config.TRUSTED_PROXIES);
