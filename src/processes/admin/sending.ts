import { pauseSending, resumeSending } from '../../sending/pause';
import { listRamps } from '../../sending/ramps';
import { UsageError } from './arguments';
import type { Command } from './command';
import { standing } from './status';

const LONGEST_REASON = 500;

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
];
