import { withKeptDatabase } from '@lettermill/local';
import type { Config } from '../../platform/config';
import { databaseIn } from '../../platform/mongo';
import { CannotStart } from '../../platform/start-up';
import type { Platform } from './command';

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
