import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fetchServers, publishMongo, startMongod } from './servers';
import type { TestServer } from './servers';

interface Shared {
  lettermillMongod?: { readonly server: TestServer; readonly dir: string };
}

/** Fetches the servers where there are none, and starts the mongod that all test files share. */
export default async function globalSetup(): Promise<void> {
  await fetchServers();
  const dir = mkdtempSync(path.join(os.tmpdir(), 'lettermill-test-'));
  const server = await startMongod({ dir });
  publishMongo(server.port);
  (globalThis as Shared).lettermillMongod = { server, dir };
}
