import { pauseSending, resumeSending } from '../../sending/pause';
import { currentMeasures, endMeasure } from '../../sending/provider-measures';
import { listRamps } from '../../sending/ramps';
import { UsageError } from './arguments';
import type { Command } from './command';
import { standing } from './status';

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
