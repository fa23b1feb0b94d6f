import { defineSignal } from '@temporalio/workflow';

/** Some of a project's messages that wait for another attempt: as many as a search attribute names. */
export interface DeferredList {
  readonly projectId: string;
  /** Which of the project's lists, from 1 on. */
  readonly list: number;
  readonly emailIds: readonly string[];
  /** When the first of them is tried again, in milliseconds; null where none of them is known to wait. */
  readonly firstAt: number | null;
}

const PREFIX = 'deferred/';

export const deferredMailId = ({ projectId, list }: Pick<DeferredList, 'projectId' | 'list'>): string => `${PREFIX}${projectId}/${list}`;

/** Reads a workflow id; null when it is of something else. */
export function deferredListOf(workflowId: string): Pick<DeferredList, 'projectId' | 'list'> | null {
  const [projectId, list, ...more] = workflowId.startsWith(PREFIX) ? workflowId.slice(PREFIX.length).split('/') : [];
  return projectId !== undefined && Number(list) >= 1 && more.length === 0 ? { projectId, list: Number(list) } : null;
}

/** Replaces the list with a newer one. */
export const listSignal = defineSignal<[DeferredList]>('list');

/** Nothing of the list waits any more. */
export const emptySignal = defineSignal('empty');
