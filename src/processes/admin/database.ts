import { withKeptDatabase } from '@lettermill/local';
import type { Config } from '../../platform/config';

/** Does `work` on MONGODB_URI, or on the database of DATA_DIR: by the mongod that runs on it, else by one that is started for as long as it takes. */
export const withDatabase = <T>(config: Config, work: (uri: string) => Promise<T>): Promise<T> =>
  config.MONGODB_URI ? work(config.MONGODB_URI) : withKeptDatabase(config, (line) => process.stderr.write(`${line}\n`), work);
