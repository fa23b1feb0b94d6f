import { defineSearchAttributeKey } from '@temporalio/common';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';

const DUE = defineSearchAttributeKey('Due', 'DATETIME');

/** Returns the search attribute that finds workflows with something to do at an instant, or before now; null removes it. */
export const dueAt = (instant: string | null): SearchAttributeUpdatePair => ({
  key: DUE,
  value: instant === null ? null : new Date(instant),
});

/** Notes until when the workflow waits, and more with it. It stays noted once that is past: what was due long ago is late. */
export const noteWait = (waitMs: number, more: readonly SearchAttributeUpdatePair[] = []): void =>
  upsertSearchAttributes([dueAt(new Date(Date.now() + waitMs).toISOString()), ...more]);

const EMAIL_ID = defineSearchAttributeKey('EmailId', 'KEYWORD_LIST');

/** Returns the search attribute that finds the workflow which sends, or delays, some messages. It holds `LISTED_IDS` of them; none removes it. */
export const mailIds = (emailIds: readonly string[]): SearchAttributeUpdatePair => ({
  key: EMAIL_ID,
  value: emailIds.length > 0 ? [...emailIds] : null,
});
