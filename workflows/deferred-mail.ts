import { condition, continueAsNew, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { emptySignal, listSignal } from '../src/contracts/deferred-mail';
import type { DeferredList } from '../src/contracts/deferred-mail';
import { dueAt, mailIds } from './search-attributes';
import { isHistoryLong } from './turns';

const HISTORY_LIMIT = 500;

/**
 * Represents a list of a project's deferred messages in Temporal: it is found by their ids, and by the time of the first retry. It receives
 * changes, does nothing else, and ends when none of them waits any more; then it is no longer found by them.
 */
export async function deferredMail(list: DeferredList): Promise<void> {
  let told = list;
  let isTold = false;
  const learn = (next: DeferredList): void => {
    told = next;
    isTold = true;
  };
  setHandler(listSignal, learn);
  setHandler(emptySignal, () => learn({ ...told, emailIds: [], firstAt: null }));
  while (told.emailIds.length > 0) {
    setCurrentDetails(detailsOf(told));
    await condition(() => isTold);
    isTold = false;
    upsertSearchAttributes([mailIds(told.emailIds), dueAt(instantOf(told))]);
    if (told.emailIds.length > 0 && isHistoryLong(HISTORY_LIMIT)) await continueAsNew<typeof deferredMail>(told);
  }
}

const instantOf = ({ firstAt }: DeferredList): string | null => (firstAt === null ? null : new Date(firstAt).toISOString());

const detailsOf = (list: DeferredList): string =>
  [
    `${list.emailIds.length} ${list.emailIds.length === 1 ? 'message waits' : 'messages wait'} for another attempt`,
    `the first at ${instantOf(list) ?? 'once'}`,
  ].join(', ');
