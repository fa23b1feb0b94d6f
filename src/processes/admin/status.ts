import { fenceStatus } from '../../sending/restore-fence';
import { currentPause } from '../../sending/pause';
import { waitingFor } from '../../upkeep/backlog';
import { schemaStatus } from '../../upkeep/migrations';
import { standingStill } from '../../upkeep/presence';
import type { Command } from './command';

/** Resolves to whether mail is sent; if not, since when and why. */
export async function standing() {
  const pause = await currentPause();
  return { sending: pause === null ? 'active' : 'paused', pausedSince: pause?.since ?? null, reason: pause?.reason ?? null };
}

async function oldestSeconds(): Promise<Readonly<Record<string, number>> | null> {
  const waiting = await waitingFor();
  return waiting && Object.fromEntries(Object.entries(waiting).map(([kind, ms]) => [kind, Math.floor(ms / 1_000)]));
}

/** The command that operators begin with. */
export const STATUS: Command = {
  words: ['status'],
  parameters: [],
  meaning:
    'show the release, the database schema, which processes run, what is stalled, the age of the oldest waiting item of each kind, and whether mail is sent',
  anySchema: true,
  run: async (_given, { release }) => {
    const { status, lack } = await schemaStatus();
    const fence = (await fenceStatus()) as { readonly raised: boolean; readonly decision?: string | null };
    return {
      result: {
        release,
        schema: status.schema,
        lacks: lack,
        processes: status.processes,
        stalled: await standingStill(),
        oldestSeconds: await oldestSeconds(),
        ...(await standing()),
        restoreFence: fence.raised ? (fence.decision ?? 'undecided') : 'none',
      },
    };
  },
};
