import { migrateAll, readSchema, refuseNewer, schemaStatus } from '../../upkeep/migrations';
import { UsageError } from './arguments';
import type { Command, Given, Outcome, Platform } from './command';

async function bringUp({ flags }: Given, { say, release }: Platform): Promise<Outcome> {
  const before = await readSchema();
  refuseNewer(before);
  await migrateAll(say, flags.has('contract'));
  const after = await readSchema();
  const { status } = await schemaStatus();
  const isOther = before.version !== after.version || before.contracted !== after.contracted;
  return {
    result: { release, ...status },
    ...(isOther && { changed: { projectId: null, action: 'schema.migrate', subject: String(after.version) } }),
  };
}

async function show({ release }: Platform): Promise<Outcome> {
  const { status, lack } = await schemaStatus();
  return { result: { release, ...status }, fault: lack };
}

/** Prepares the database for a release, before its processes start. */
export const MIGRATE: Command = {
  words: ['migrate'],
  parameters: [],
  flags: ['status', 'contract'],
  anySchema: true,
  meaning: 'migrate the database to this release; --status only shows its state; --contract also removes what earlier releases need',
  check: ({ flags }) => {
    if (flags.has('status') && flags.has('contract')) throw new UsageError('Use either --status or --contract');
  },
  run: (given, platform) => (given.flags.has('status') ? show(platform) : bringUp(given, platform)),
};
