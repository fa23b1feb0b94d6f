import type { Context, Core } from '../../../platform/core';
import { authenticate, scopeOf } from '../../../records/projects';
import type { KeyUses } from '../../../records/projects';
import { Refusal } from '../refusal';
import { WRONG_KEY } from './refusals';

/** The owner of a key that hands mail in. */
export interface Sender {
  readonly ctx: Context;
  /** The beginning of the key. */
  readonly keyPrefix: string;
}

const refused = (why: string): Refusal => new Refusal(535, `${WRONG_KEY}: ${why}`);

/** Resolves to the sender by the key that is the password. Throws a refusal for a key that is unknown, over, or may not send. */
export async function senderBy(core: Core, uses: KeyUses, password: string, requestId: string): Promise<Sender> {
  const found = await authenticate(password);
  if (found === 'unknown') throw refused('the password is not an API key');
  if (typeof found === 'string') throw refused(`the API key ${found === 'revoked' ? 'was revoked' : 'has expired'}`);
  const { project, key } = found;
  const scope = scopeOf(key);
  if (key.kind === 'public' || (scope !== 'full' && scope !== 'sending')) throw refused('the API key may not send');
  uses.note(key.hash);
  const ctx: Context = {
    ...{ core, projectId: project._id, project, testMode: key.kind === 'test', keyKind: key.kind, requestId },
    readsContent: scope !== 'sending',
  };
  return { ctx, keyPrefix: key.prefix };
}
