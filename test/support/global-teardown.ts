import { rmSync } from 'node:fs';
import type { TestServer } from './servers';

interface Shared {
  lettermillMongod?: { readonly server: TestServer; readonly dir: string };
}

export default async function globalTeardown(): Promise<void> {
  const { lettermillMongod } = globalThis as Shared;
  if (!lettermillMongod) return;
  await lettermillMongod.server.stop();
  rmSync(lettermillMongod.dir, { recursive: true, force: true });
}
