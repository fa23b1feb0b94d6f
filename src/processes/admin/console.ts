import { endAllSessions, endSession, listSessions, makeLink } from '../../records/console-sessions';
import type { Command, Given, Outcome } from './command';

async function end({ args: [which = ''] }: Given): Promise<Outcome> {
  const isOne = which.startsWith('ses_');
  const [projectId, sessions] = isOne ? [await endSession(which), 1] : [which, await endAllSessions(which)];
  return { result: { projectId, sessions }, changed: { projectId, action: 'console.end', subject: which } };
}

/** The operator's commands for the console: create sign-in links, list sessions, end them. */
export const CONSOLE: readonly Command[] = [
  {
    words: ['console-link'],
    parameters: ['<projectId>'],
    meaning: 'make a link that signs one person in to its console, once, within half an hour',
    run: async ({ args: [projectId = ''] }, { publicUrl }) => ({
      result: { projectId, ...(await makeLink(projectId, publicUrl)) },
      changed: { projectId, action: 'console_link.create', subject: null },
    }),
  },
  {
    words: ['sessions', 'list'],
    parameters: ['<projectId>'],
    meaning: 'who is signed in to its console, by which key or by a link',
    run: async ({ args: [projectId = ''] }) => ({ result: await listSessions(projectId) }),
  },
  {
    words: ['sessions', 'end'],
    parameters: ['<sessionId|projectId>'],
    meaning: 'end one session, or with the id of a project all of them and the links that were not used',
    run: end,
  },
];
