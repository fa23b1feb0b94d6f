import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../platform/core';
import { beginRemoval, readRemoval } from '../../upkeep/project-removal';
import type { ProjectRemoval } from '../../upkeep/project-removal';
import { UsageError } from './arguments';
import type { Command, Given, Outcome, Platform } from './command';

const ASK_MS = 500;
/** Number of times to look for the workflow before reporting that none has begun. */
const PATIENCE_ASKS = 60;

async function confirm({ args: [projectId = ''], flags }: Given): Promise<void> {
  if (flags.has('yes')) return;
  if (!process.stdin.isTTY) throw new UsageError('This removes a project permanently. Confirm it with --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(`This removes ${projectId} with all its data, permanently. Type its id to continue: `);
    if (typed.trim() !== projectId) throw new AppError('validation_error', 'Nothing was removed');
  } finally {
    terminal.close();
  }
}

const removedBy = ({ removed }: ProjectRemoval): number => Object.values(removed).reduce((sum, rows) => sum + rows, 0);

const lineOf = (removal: ProjectRemoval): string =>
  `${removal.status === 'waiting' ? 'waiting for work in progress' : removal.status}: ${removedBy(removal)} rows removed`;

async function untilCompleted(projectId: string, say: Platform['say']): Promise<ProjectRemoval> {
  let said = '';
  for (let asked = 0; ; asked++) {
    const removal = await readRemoval(projectId);
    if (removal.status === 'completed') return removal;
    const line = asked < PATIENCE_ASKS || removal.pass.began !== null || removedBy(removal) > 0 ? lineOf(removal) : NO_WORKER;
    if (line !== said) say(line);
    said = line;
    await wait(ASK_MS);
  }
}

const NO_WORKER = 'No worker has started on it yet: it continues as soon as one runs. You can stop this command and run it again';

export const REMOVAL: Command = {
  words: ['projects', 'delete'],
  parameters: ['<projectId>'],
  flags: ['yes'],
  meaning: 'remove a project with all its data, permanently; run it again to see its progress',
  run: async (given, { say }): Promise<Outcome> => {
    const [projectId = ''] = given.args;
    await confirm(given);
    await beginRemoval(projectId);
    const { status, requestedAt, finishedAt, removed } = await untilCompleted(projectId, say);
    return {
      result: { projectId, status, requestedAt, finishedAt, ...removed },
      changed: { projectId, action: 'project.delete', subject: projectId },
    };
  },
};
