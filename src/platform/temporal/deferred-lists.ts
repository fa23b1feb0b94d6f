import type { Client } from '@temporalio/client';
import type { TypedSearchAttributes } from '@temporalio/common';
import { deferredListOf } from '../../contracts/deferred-mail';
import type { DeferredList } from '../../contracts/deferred-mail';
import { DUE, LISTS } from './search-attributes';

const WITHIN_MS = 10_000;
const PAGE = 1_000;
const QUERY = "WorkflowType = 'deferredMail' AND ExecutionStatus = 'Running'";

/** Reads which deferred messages the running workflows name, in Temporal's list of workflows; what was told a moment ago may be missing there. */
export const readDeferredLists = (client: Client): Promise<readonly DeferredList[]> =>
  client.withDeadline(Date.now() + WITHIN_MS, async () => {
    const lists: DeferredList[] = [];
    for await (const { workflowId, typedSearchAttributes } of client.workflow.list({ query: QUERY, pageSize: PAGE })) {
      const list = deferredListOf(workflowId);
      if (list) lists.push({ ...list, ...shownIn(typedSearchAttributes) });
    }
    return lists;
  });

const shownIn = (attributes: TypedSearchAttributes): Pick<DeferredList, 'emailIds' | 'firstAt'> => ({
  emailIds: attributes.get(LISTS.emailIds) ?? [],
  firstAt: attributes.get(DUE)?.getTime() ?? null,
});
