import { childEnvironment, secretIfThere, withKeptDatabase } from '@lettermill/local';
import { loadConfig, releaseOf } from '../../platform/config';
import type { Config } from '../../platform/config';
import { AppError } from '../../platform/core';
import { Secrets } from '../../platform/secrets';
import type { Platform } from './command';
import { databaseIn } from '../../platform/mongo';
import { CannotStart } from '../../platform/start-up';

/** Returns what commands have to know of the platform that they work on. Its secret is APP_SECRET, or the one that DATA_DIR has; in production only the former. */
export const platformOf = (config: Config, say: Platform['say']): Platform => ({
  say,
  release: releaseOf(config),
  config,
  publicUrl: config.PUBLIC_URL,
  secrets: () => new Secrets(config.APP_SECRET ?? keptSecrets(config)),
});

function keptSecrets({ DATA_DIR, NODE_ENV }: Config): readonly string[] {
  if (NODE_ENV === 'production') throw new CannotStart('Set APP_SECRET: with NODE_ENV=production, commands use no other secret');
  const kept = secretIfThere(DATA_DIR);
  const secrets = kept === null ? undefined : loadConfig(childEnvironment({}, { APP_SECRET: kept })).APP_SECRET;
  if (secrets === undefined)
    throw new AppError('validation_error', `Set APP_SECRET to the secret that the platform uses: ${DATA_DIR} has none`);
  return secrets;
}

/**
 * Does `work` on MONGODB_URI, or on the database of DATA_DIR: by the mongod that runs on it, otherwise by one that is started for that
 * time. Prints which database that is. In production nobody means a database that this command would have to create: without MONGODB_URI it
 * throws.
 */
export function withDatabase<T>(config: Config, say: Platform['say'], work: (uri: string) => Promise<T>): Promise<T> {
  const named = (uri: string): Promise<T> => {
    say(`Database: ${databaseIn(uri)}`);
    return work(uri);
  };
  if (config.MONGODB_URI !== undefined) return named(config.MONGODB_URI);
  if (config.NODE_ENV === 'production') throw new CannotStart('Set MONGODB_URI: with NODE_ENV=production, commands use no other database');
  return withKeptDatabase(config, say, named);
}
