import { rmSync } from 'node:fs';
import type { SharedServers } from './servers';

export default async function globalTeardown(): Promise<void> {
  const { lettermillShared } = globalThis as { lettermillShared?: SharedServers };
  if (!lettermillShared) return;
  await Promise.all([lettermillShared.mongod.stop(), lettermillShared.temporal.stop()]);
  for (const dir of lettermillShared.dirs) rmSync(dir, { recursive: true, force: true });
}
