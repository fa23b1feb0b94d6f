import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';

const DUE = defineSearchAttributeKey('Due', 'DATETIME');

/** When queries say that the workflow has something to do, in milliseconds; null when they do not say. */
export const dueOf = async (handle: Pick<WorkflowHandle, 'describe'>): Promise<number | null> =>
  (await handle.describe()).typedSearchAttributes.get(DUE)?.getTime() ?? null;
