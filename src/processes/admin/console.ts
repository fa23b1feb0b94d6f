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
    meaning: 'create a link that signs one person in to the console; works once, within 30 minutes',
    run: async ({ args: [projectId = ''] }, { publicUrl }) => ({
      result: { projectId, ...(await makeLink(projectId, publicUrl)) },
      changed: { projectId, action: 'console_link.create', subject: null },
    }),
  },
  {
    words: ['sessions', 'list'],
    parameters: ['<projectId>'],
    meaning: 'list console sessions, with their key or link',
    run: async ({ args: [projectId = ''] }) => ({ result: await listSessions(projectId) }),
  },
  {
    words: ['sessions', 'end'],
    parameters: ['<sessionId|projectId>'],
    meaning: 'end one console session; with a project id, end all of them and their unused links',
    run: end,
  },
];
