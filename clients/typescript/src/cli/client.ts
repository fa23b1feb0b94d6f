import { Lettermill } from '../operations.ts';
import { profileToUse } from './profiles.ts';
import type { Terminal } from './terminal.ts';

/** Resolves to a client for a profile that is named, or for the one in use. Throws a `UsageError` if there is none. */
export async function clientFor(profile: string | undefined, { env }: Terminal): Promise<Lettermill> {
  const { url: baseUrl, key: apiKey } = await profileToUse(env, profile);
  return new Lettermill({ apiKey, baseUrl });
}
