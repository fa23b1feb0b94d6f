import { endAllSessions } from '../../records/console-sessions';
import { allAudit, readAudit } from '../../records/audit';
import type { AuditEntry } from '../../records/audit';
import {
  KEY_KINDS,
  KEY_SCOPES,
  PLANS,
  SHORTEST_BEGINNING,
  allProjects,
  changeSettings,
  createKey,
  createProject,
  disableProject,
  enableProject,
  faultOfBeginning,
  getProject,
  listKeys,
  pagesOfProjects,
  resetReputation,
  revokeAllKeys,
  revokeKey,
  setPlan,
} from '../../records/projects';
import type { KeyKind, KeyScope, Plan, Project } from '../../records/projects';
import { readUsage } from '../../records/billing';
import { limitOf } from '../../platform/core';
import { UsageError, oneOf, readEntryId, readExpiry, readLimit, readMonth } from './arguments';
import { CERTIFICATE } from './certificate';
import type { Command, Given, Outcome, Platform } from './command';
import { LIMITS } from './limits';
import { MEMBERS, CONSOLE } from './members';
import { MIGRATE, RESEAL, RESTORE_FENCE } from './migrate';
import { REMOVAL } from './removal';
import { SENDING, STATUS } from './sending';

const isBeginning = ({ args: [beginning = ''], flags }: Given): void => {
  if (flags.has('all')) return;
  const fault = faultOfBeginning(beginning);
  if (fault !== null) throw new UsageError(fault);
};

const summary = ({ _id, name, plan, createdAt, disabledAt, reputation }: Project) => ({
  projectId: _id,
  name,
  plan,
  createdAt,
  disabledAt,
  reputation: reputation.state,
});

/** Declares a change of a project, answered with the project as it is then. */
const changing =
  (action: string, change: (projectId: string, ...rest: readonly string[]) => Promise<void>) =>
  async ({ args: [projectId = '', ...rest] }: Given): Promise<Outcome> => {
    await change(projectId, ...rest);
    return { result: summary(await getProject(projectId)), changed: { projectId, action, subject: projectId } };
  };

function isName(name = ''): void {
  if (name.trim() === '' || name.length > 200) throw new UsageError('The name of a project must have 1 to 200 characters');
}

const PROJECTS: readonly Command[] = [
  {
    words: ['projects', 'create'],
    parameters: ['<name>'],
    meaning: 'create a project; its keys are shown only once',
    check: ({ args: [name] }) => isName(name),
    run: async ({ args: [name = ''] }) => {
      const result = await createProject(name);
      return { result, changed: { projectId: result.projectId, action: 'project.create', subject: result.projectId } };
    },
  },
  {
    words: ['projects', 'rename'],
    parameters: ['<projectId>', '<name>'],
    meaning: 'rename a project; recipients see the name on the unsubscribe page',
    check: ({ args: [, name] }) => isName(name),
    run: changing('project.rename', (projectId, name) => changeSettings(projectId, { name })),
  },
  {
    words: ['projects', 'list'],
    parameters: [],
    meaning: 'list all projects',
    run: async () => {
      const result: ReturnType<typeof summary>[] = [];
      for await (const project of allProjects()) result.push(summary(project));
      return { result };
    },
  },
  {
    words: ['projects', 'disable'],
    parameters: ['<projectId>'],
    meaning: 'disable a project: its sends are skipped, reading still works',
    run: changing('project.disable', disableProject),
  },
  {
    words: ['projects', 'enable'],
    parameters: ['<projectId>'],
    meaning: 'enable a disabled project',
    run: changing('project.enable', enableProject),
  },
  {
    words: ['projects', 'plan'],
    parameters: ['<projectId>', `<${PLANS.join('|')}>`],
    meaning: 'change the plan of a project',
    check: ({ args: [, plan] }) => oneOf('The plan', PLANS, plan),
    run: changing('project.plan', (projectId, plan) => setPlan(projectId, plan as Plan)),
  },
  {
    words: ['projects', 'reputation-reset'],
    parameters: ['<projectId>'],
    meaning: 'reset the reputation: bounces and complaints so far no longer count',
    run: changing('project.reputation_reset', resetReputation),
  },
];

async function makeKey({ args: [projectId = '', kind], options }: Given, { config }: Platform): Promise<Outcome> {
  const most = limitOf(config, await getProject(projectId), 'keys');
  const expiresAt = readExpiry(options.expires);
  const access = { ...(options.scope !== undefined && { scope: options.scope as KeyScope }), ...(expiresAt && { expiresAt }) };
  const { prefix, ...result } = await createKey(projectId, kind as KeyKind, most, access);
  return { result, changed: { projectId, action: 'key.create', subject: prefix } };
}

// The keys first: one that is still good begins another session.
async function revokeAll(projectId: string): Promise<Outcome> {
  const result = { projectId, keys: await revokeAllKeys(projectId), sessions: await endAllSessions(projectId) };
  return { result, changed: { projectId, action: 'key.revoke_all', subject: projectId } };
}

const KEYS: readonly Command[] = [
  {
    words: ['keys', 'create'],
    parameters: ['<projectId>', `<${KEY_KINDS.join('|')}>`],
    options: ['scope', 'expires'],
    meaning: 'create a key; it is shown only once',
    check: ({ args: [, kind], options: { scope, expires } }) => {
      oneOf('The kind of key', KEY_KINDS, kind);
      if (scope !== undefined) oneOf('--scope', KEY_SCOPES, scope);
      if (scope !== undefined && kind === 'public') throw new UsageError('A public key has no scope: it can only post events');
      readExpiry(expires);
    },
    run: makeKey,
  },
  {
    words: ['keys', 'list'],
    parameters: ['<projectId>'],
    meaning: "list a project's keys by their first characters",
    run: async ({ args: [projectId = ''] }) => ({ result: await listKeys(projectId) }),
  },
  {
    words: ['keys', 'revoke'],
    parameters: ['<key prefix>'],
    flags: ['all'],
    meaning: `revoke the key with these first characters (at least ${SHORTEST_BEGINNING}); with --all and a project id, revoke all its keys and end all its console sessions`,
    check: isBeginning,
    run: async ({ args: [beginning = ''], flags }) => {
      if (flags.has('all')) return revokeAll(beginning);
      const result = await revokeKey(beginning);
      return { result, changed: { projectId: result.projectId, action: 'key.revoke', subject: result.prefix } };
    },
  },
];

const shown = ({ _id, at, projectId, by, action, subject, reason }: AuditEntry) => ({
  at,
  projectId,
  by,
  action,
  subject,
  ...(reason !== undefined && { reason }),
  entryId: _id,
});

const AUDIT: Command = {
  words: ['audit'],
  parameters: [],
  options: ['project', 'limit', 'before'],
  flags: ['all'],
  meaning: 'list changes with their authors, newest first; with --all, all of them',
  check: ({ options, flags }) => {
    if (flags.has('all') && (options.limit ?? options.before) !== undefined)
      throw new UsageError('Use either --all, or --limit and --before');
    readLimit(options.limit);
    readEntryId(options.before);
  },
  run: async ({ options: { project = null, limit, before }, flags }) => {
    if (project !== null) await getProject(project);
    if (flags.has('all')) return { result: (await allAudit(project)).map(shown) };
    const entries = await readAudit({ projectId: project, limit: readLimit(limit), before: readEntryId(before) });
    return { result: entries.map(shown) };
  },
};

async function usageIn(month: string, { _id: projectId, name, plan }: Project) {
  const { used, credits, categories } = await readUsage(projectId, month);
  return { month, projectId, name, plan, used, credits, ...categories };
}

const USAGE: Command = {
  words: ['usage'],
  parameters: [],
  options: ['project', 'month'],
  meaning: 'show the messages and credits of each project, or of one, in a calendar month (UTC)',
  check: ({ options: { month } }) => void readMonth(month),
  run: async ({ options }) => {
    const month = readMonth(options.month);
    if (options.project !== undefined) return { result: [await usageIn(month, await getProject(options.project))] };
    const result: Awaited<ReturnType<typeof usageIn>>[] = [];
    for await (const page of pagesOfProjects()) result.push(...(await Promise.all(page.map((project) => usageIn(month, project)))));
    return { result };
  },
};

export const COMMANDS: readonly Command[] = [
  ...PROJECTS,
  REMOVAL,
  ...KEYS,
  ...LIMITS,
  ...CONSOLE,
  ...MEMBERS,
  RESEAL,
  MIGRATE,
  RESTORE_FENCE,
  ...SENDING,
  STATUS,
  USAGE,
  CERTIFICATE,
  AUDIT,
];
