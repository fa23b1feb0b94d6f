import type { TestApp } from './app';
import { API_SETTINGS, apiOf } from './app';
import { Part, eventually } from './platform';
import { forTheFile } from '../run/for-the-file';
import { freePort, testMongoUri, testTemporalAddress } from '../run/servers';
import { testDatabase } from '../run/database';

interface SecondApi {
  readonly api: TestApp['api'];
  stop(): Promise<void>;
}

/**
 * A second API process on the database of an app, for the tests of a file: only the database keeps apart what the two do at the same time. It takes the
 * secret key of the app's first project unless another is given.
 */
export const aSecondApi = (app: TestApp, config: Readonly<Record<string, string>> = {}): SecondApi =>
  forTheFile(
    async () => {
      const port = await freePort();
      const servers = { MONGODB_URI: testMongoUri(testDatabase()), TEMPORAL_ADDRESS: testTemporalAddress() };
      const part = new Part('api/main.ts', { ...API_SETTINGS, ...servers, LOG_LEVEL: 'info', PORT: String(port), ...config }, 'istening');
      await part.start();
      await eventually('the second process is ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
      return { api: apiOf(`http://127.0.0.1:${port}`, app.keys.secret), stop: () => part.stop() };
    },
    (second) => second.stop(),
  );
