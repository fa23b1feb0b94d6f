import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { publishMongo, startMongod } from './servers';
import type { TestServer } from './servers';

interface Shared {
  lettermillMongod?: { readonly server: TestServer; readonly dir: string };
}

/** Starts the mongod that all test files share; fetches it first where there is none. */
export default async function globalSetup(): Promise<void> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'lettermill-test-'));
  const server = await startMongod({ dir });
  publishMongo(server.port);
  (globalThis as Shared).lettermillMongod = { server, dir };
}
