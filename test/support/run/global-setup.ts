import { fetchServers, startShared } from './servers';

/** Fetches the servers where there are none, and starts the ones that all test files share. */
export default async function globalSetup(): Promise<void> {
  await fetchServers();
  (globalThis as { lettermillEnd?: () => Promise<void> }).lettermillEnd = await startShared();
}
