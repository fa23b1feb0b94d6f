import { defineSearchAttributeKey } from '@temporalio/common';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';

const DUE = defineSearchAttributeKey('Due', 'DATETIME');

/** Returns the search attribute by which workflows are found that have something to do at an instant, or had; null takes it away. */
export const dueAt = (instant: string | null): SearchAttributeUpdatePair => ({
  key: DUE,
  value: instant === null ? null : new Date(instant),
});

/** Notes until when the workflow waits, and more with it. It stays noted once that is past: what was due long ago is late. */
export const noteWait = (waitMs: number, more: readonly SearchAttributeUpdatePair[] = []): void =>
  upsertSearchAttributes([dueAt(new Date(Date.now() + waitMs).toISOString()), ...more]);
