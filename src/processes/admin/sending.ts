import { pauseSending, resumeSending, currentPause } from '../../sending/pause';
import { currentMeasures, endMeasure } from '../../sending/provider-measures';
import { listRamps } from '../../sending/ramps';
import { UsageError } from './arguments';
import type { Command } from './command';
import { fenceStatus } from '../../sending/restore-fence';
import { waitingFor } from '../../upkeep/backlog';
import { schemaStatus } from '../../upkeep/migrations';
import { standingStill } from '../../upkeep/presence';

/** Resolves to whether mail is sent; if not, since when and why. */
async function standing() {
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

const LONGEST_REASON = 500;

async function measures() {
  const rows = await currentMeasures();
  return rows.map(({ _id, provider, do: what, perMinute = null, until, reply }) => ({
    measure: _id,
    provider,
    do: what,
    perMinute,
    until,
    reply,
  }));
}

/** The operator's commands for the mail of the whole installation. */
export const SENDING: readonly Command[] = [
  {
    words: ['pause-sending'],
    parameters: ['[reason]'],
    meaning: 'pause sending for all projects until it is resumed; mail is accepted and waits',
    check: ({ args: [reason = ''] }) => {
      if (reason.length > LONGEST_REASON) throw new UsageError(`A reason can have at most ${LONGEST_REASON} characters`);
    },
    run: async ({ args: [reason = ''] }) => {
      await pauseSending(reason.trim() === '' ? null : reason.trim());
      return { result: await standing(), changed: { projectId: null, action: 'sending.pause', subject: null } };
    },
  },
  {
    words: ['resume-sending'],
    parameters: [],
    meaning: 'resume sending, oldest mail first',
    run: async () => {
      const wasPaused = await resumeSending();
      return { result: await standing(), ...(wasPaused && { changed: { projectId: null, action: 'sending.resume', subject: null } }) };
    },
  },
  {
    words: ['ramps'],
    parameters: [],
    meaning: 'list the ramps of transports: the limit of the day, how much of it is used, and what keeps it from rising',
    run: async () => ({ result: await listRamps() }),
  },
  {
    words: ['measures', 'list'],
    parameters: [],
    meaning: 'list the providers that a rule has suspended or sends less to, until when, and the last reply that led to it',
    run: async () => ({ result: await measures() }),
  },
  {
    words: ['measures', 'end'],
    parameters: ['<measure>'],
    meaning: 'end a measure; mail that already waits keeps its planned time',
    run: async ({ args: [measure = ''] }) => {
      await endMeasure(measure);
      return { result: await measures(), changed: { projectId: null, action: 'measure.end', subject: measure } };
    },
  },
];
