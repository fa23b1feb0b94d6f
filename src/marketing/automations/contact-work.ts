import type { ClientSession } from 'mongoose';
import { changeTogether } from '../../audience/contacts';
import { settleMarketing } from '../../audience/topics';
import { afterwards } from '../../platform/async';
import { limitOf, AppError } from '../../platform/core';
import type { Core } from '../../platform/core';
import { afterCommit } from '../../platform/mongo';
import { addMembers, removeMembers } from '../../audience/segments';
import { emit } from '../../records/events';
import type { ContactChange } from '../../rules/contact-change';
import type { Input } from '../../rules/automation/machine';
import { DONE } from '../../rules/automation/node';
import type { NodeRun } from './act';
import { jointly } from './work';
import type { JointWork } from './work';
import { TemplateRenderError } from '../../message/template';

interface Share {
  readonly run: NodeRun;
}

/** Returns the cause of a change by an execution: one automation deeper. */
const causeOf = ({ execution: { testMode, depth } }: NodeRun) => ({ testMode, at: new Date(), depth: depth + 1 });

type Cause = ReturnType<typeof causeOf>;

/**
 * Runs the work of groups whose members share a project, a cause and `also`. A fault that one step throws ends only that step: in a
 * transaction with others its owner is not known, so each is tried separately.
 */
const inGroups = <T extends Share>(
  also: (share: T) => string,
  work: (session: ClientSession, shares: readonly [T, ...T[]], cause: Cause) => Promise<readonly Input[]>,
): ((share: T) => JointWork) =>
  jointly<T>(async (session, shares) => {
    const results = new Map<T, Input>();
    for (const group of groupsOf(shares, also)) {
      const inputs = await workAlone(shares.length === 1, () => work(session, group, causeOf(group[0].run)));
      group.forEach((share, index) => results.set(share, inputs[index] as Input));
    }
    return shares.map((share) => results.get(share) as Input);
  });

async function workAlone(isAlone: boolean, work: () => Promise<readonly Input[]>): Promise<readonly Input[]> {
  return isAlone ? [await orFailed(async () => (await work())[0] as Input)] : work();
}

function groupsOf<T extends Share>(shares: readonly T[], also: (share: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const share of shares) {
    const { projectId, testMode, depth } = share.run.execution;
    const key = `${projectId} ${testMode} ${depth} ${also(share)}`;
    const group = groups.get(key);
    if (group) group.push(share);
    else groups.set(key, [share]);
  }
  return [...groups.values()];
}

const settleLeft = (core: Pick<Core, 'config' | 'log'>, projectId: string, people: Parameters<typeof settleMarketing>[2]): Promise<void> =>
  afterwards(core, 'Mail that waits for unsubscribed contacts was not cancelled', () => settleMarketing(core, projectId, people));

/** Changes the contacts of executions. What waits for those who are unsubscribed by it is cancelled after the commit. */
export const changeContact = inGroups<Share & { readonly change: ContactChange }>(
  () => '',
  async (session, shares, cause) => {
    const { project, core } = shares[0].run.ctx;
    const wanted = shares.map(({ run, change }) => ({ contactId: run.contact._id, change }));
    const faults = await changeTogether(session, project, wanted, {
      source: 'automation',
      maxFields: limitOf(core.config, project, 'fields'),
      ...cause,
    });
    const left = shares.filter(({ change }, at) => change.subscribed === false && !faults[at]).map(({ run }) => run.contact);
    const people = left.map(({ _id, email }) => ({ contactId: _id, address: email }));
    if (people.length > 0) afterCommit(session, () => void settleLeft(core, project._id, people));
    return faults.map((fault) => (fault ? { kind: 'failed', error: fault.message } : DONE));
  },
);

const membership = (change: typeof addMembers) =>
  inGroups<Share & { readonly segmentId: string }>(
    ({ segmentId }) => segmentId,
    async (session, shares, cause) => {
      const [{ run, segmentId }] = shares;
      const contacts = shares.map((share) => share.run.contact);
      await change(session, { projectId: run.execution.projectId, segmentId }, contacts, cause);
      return shares.map(() => DONE);
    },
  );

/** Puts the contacts of executions into a static segment. */
export const enterSegment = membership(addMembers);

/** Takes the contacts of executions out of a static segment. */
export const leaveSegment = membership(removeMembers);

/** Emits events of the contacts of executions. */
export const emitEvent = inGroups<Share & { readonly name: string; readonly data: Readonly<Record<string, unknown>> }>(
  () => '',
  async (session, shares, cause) => {
    const events = shares.map(({ run, name, data }) => ({
      ...cause,
      projectId: run.contact.projectId,
      contactId: run.contact._id,
      name,
      data,
    }));
    const eventIds = await emit(session, events);
    return eventIds.map((eventId) => ({ kind: 'done', output: { eventId } }));
  },
);

const FAULTS: ReadonlySet<string> = new Set(['validation_error', 'send_failed', 'not_found', 'conflict', 'limit_exceeded']);

/** Turns a fault of the automation's author into the result of its node; any other failure is thrown. */
export async function orFailed<T>(work: () => Promise<T>): Promise<T | Extract<Input, { kind: 'failed' }>> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof TemplateRenderError || (error instanceof AppError && FAULTS.has(error.code));
    if (!isFault) throw error;
    return { kind: 'failed', error: error.message };
  }
}
