import { LISTED_IDS, deferredMailId, emptySignal, listSignal } from '../../contracts/waiting-mail';
import type { DeferredList } from '../../contracts/waiting-mail';
import type { Intent } from '../../contracts/processes';
import type { Core } from '../../platform/core';
import { eachSettled } from '../../platform/async';
import { findDeferred, findUnderWay } from '../../records/emails';
import { listsToTell } from '../../rules/deferred-lists';
import type { Deferred } from '../../rules/deferred-lists';

/** Limit for listed messages; of more, those that are tried last are in no list. */
const LISTED = 20_000;
const TOLERANCE_MS = 60_000;
const AT_ONCE = 8;

/**
 * Updates the workflows that list messages that wait for a retry. The named ones are read in Temporal's list of workflows and compared with the
 * ledger, so nothing is stored about it: a loss on either side is corrected by the next round. Never throws: mail is sent without it.
 * Resolves to the number of published lists.
 */
export const listDeferred = (core: Pick<Core, 'processes' | 'log'>): Promise<number> =>
  list(core).catch((err: unknown) => {
    core.log.warn({ err }, 'Deferred mail was not listed in Temporal');
    return 0;
  });

async function list({ processes }: Pick<Core, 'processes'>): Promise<number> {
  const shown = await processes.deferredLists();
  const waiting: readonly Deferred[] = (await findDeferred(LISTED)).map(({ _id, projectId, dueAt }) => ({
    emailId: _id,
    projectId,
    dueAt: dueAt?.getTime() ?? null,
  }));
  const wanted = listsToTell(shown, [...waiting, ...(await underWay(shown, waiting))], { size: LISTED_IDS, toleranceMs: TOLERANCE_MS });
  await eachSettled(wanted, AT_ONCE, (one) => tell(processes, one));
  return wanted.length;
}

/** Finds messages that are listed and do not wait, as they are being sent. */
async function underWay(shown: readonly DeferredList[], waiting: readonly Deferred[]): Promise<readonly Deferred[]> {
  const known = new Set(waiting.map(({ emailId }) => emailId));
  const left = shown.flatMap(({ emailIds }) => emailIds.filter((id) => !known.has(id)));
  const sending = left.length > 0 ? await findUnderWay([...new Set(shown.map(({ projectId }) => projectId))], left) : [];
  return sending.map(({ _id, projectId }) => ({ emailId: _id, projectId, dueAt: null }));
}

function tell(processes: Core['processes'], one: DeferredList): Promise<void> {
  const intent = intentOf(one);
  return intent.kind === 'start' ? processes.start(intent) : processes.signal(intent);
}

function intentOf(one: DeferredList): Intent {
  const { projectId, emailIds, firstAt } = one;
  const workflowId = deferredMailId(one);
  if (emailIds.length === 0) return { kind: 'signal', workflowId, signal: emptySignal.name, id: 'empty' };
  return {
    kind: 'start',
    workflow: 'deferredMail',
    workflowId,
    input: one,
    summary: 'Deferred mail',
    attributes: { projectId, emailIds, ...(firstAt !== null && { due: new Date(firstAt).toISOString() }) },
    orSignal: listSignal.name,
  };
}
