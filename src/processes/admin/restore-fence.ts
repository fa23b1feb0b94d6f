import { decideFence, fenceStatus, raiseFence } from '../../sending/restore-fence';
import { UsageError } from './arguments';
import type { Command } from './command';

const STATUS = 'status';
const DECISIONS = ['release', 'mark-sent'] as const;

const decisionIn = (word: string) => DECISIONS.find((decision) => decision === word);

// Only whole instants: a date alone would be taken as its first moment, hours before the backup.
function instantIn(word: string): Date {
  const instant = new Date(word);
  if (!/T.*(Z|[+-]\d\d:\d\d)$/.test(word) || Number.isNaN(instant.getTime())) {
    throw new UsageError('Give the instant of the restored backup as 2026-01-31T12:00:00Z, or release, mark-sent or status');
  }
  return instant;
}

/** Declares a fence after the operator has restored the database. */
export const RESTORE_FENCE: Command = {
  words: ['restore-fence'],
  parameters: [`<instant|${[...DECISIONS, STATUS].join('|')}>`],
  meaning: 'after a restore, hold mail that may have been sent since the backup; then release it, or mark it as sent',
  check: ({ args: [word = ''] }) => {
    if (word !== STATUS && !decisionIn(word)) instantIn(word);
  },
  run: async ({ args: [word = ''] }, { say }) => {
    if (word === STATUS) return { result: await fenceStatus() };
    const decision = decisionIn(word);
    const report = (messages: number): void => say(`${messages} messages so far`);
    const result = decision ? await decideFence(decision, report) : await raiseFence(instantIn(word), report);
    return { result, changed: { projectId: null, action: `restore_fence.${decision ?? 'raise'}`, subject: decision ? null : word } };
  },
};
