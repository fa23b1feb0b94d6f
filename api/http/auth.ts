import type { IncomingMessage } from 'node:http';
import type { Context, Core } from '../../src/context';
import { AppError } from '../../src/errors';
import { authenticate } from '../../src/projects/service';
import { unauthorized } from './errors';

const BEARER = /^bearer +(\S+) *$/i;

const ambiguous = (): AppError => new AppError('ambiguous_api_key', 'Give one API key, once');

/** Node keeps the first of several `Authorization` headers; only the raw list shows the others. */
function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count++;
  return count;
}

/** The key that a request carries. Throws `ambiguous_api_key` or `unauthorized`. */
function readKey(incoming: IncomingMessage): string {
  if (headerCount(incoming, 'authorization') > 1) throw ambiguous();
  const { authorization } = incoming.headers;
  const other = incoming.headers['x-api-key']?.toString();
  const key = authorization === undefined ? other : BEARER.exec(authorization)?.[1];
  if (!key) throw unauthorized();
  if (other !== undefined && other !== key) throw ambiguous();
  return key;
}

interface Caller {
  readonly ctx: Context;
  readonly keyHash: string;
}

/** Who asks. Throws `unauthorized` also for a public key where it has no business. */
export async function callerOf(core: Core, incoming: IncomingMessage, requestId: string, publicToo: boolean): Promise<Caller> {
  const found = await authenticate(readKey(incoming));
  if (!found || (found.kind === 'public' && !publicToo)) throw unauthorized();
  const { project, kind, keyHash } = found;
  return { ctx: { core, projectId: project._id, project, testMode: kind === 'test', keyKind: kind, requestId }, keyHash };
}
