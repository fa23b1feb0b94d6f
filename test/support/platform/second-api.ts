import type { TestApp } from './app';
import { apiOf } from './app';
import { Part } from './platform';
import { forTheFile } from '../run/for-the-file';
import { freePort, testMongoUri, testTemporalAddress } from '../run/servers';
import { testDatabase } from '../run/database';

interface SecondApi {
  readonly api: TestApp['api'];
  readonly part: Part;
}

/**
 * A second API process on the database of an app, for the tests of a file: only the database keeps apart what the two do at the same time. It takes the
 * secret key of the app's first project unless another is given.
 */
export const aSecondApi = (app: TestApp, config: Readonly<Record<string, string>> = {}): SecondApi =>
  forTheFile(
    async () => {
      const port = await freePort();
      const part = new Part(
        'api/main.ts',
        {
          NODE_ENV: 'test',
          LOG_LEVEL: 'info',
          PORT: String(port),
          MONGODB_URI: testMongoUri(testDatabase()),
          TEMPORAL_ADDRESS: testTemporalAddress(),
          APP_SECRET: [app.core.config.APP_SECRET].flat().join(','),
          SMTP_URL: 'smtp://127.0.0.1:2525',
          API_RATE_PER_SECOND: '100000',
          API_RATE_BURST: '100000',
          ...config,
        },
        'istening',
      );
      await part.start();
      return { api: apiOf(`http://127.0.0.1:${port}`, app.keys.secret), part };
    },
    ({ part }) => part.stop(),
  );
