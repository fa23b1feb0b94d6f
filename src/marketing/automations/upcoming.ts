import type { Context, PageRequest, Positioned } from '../../platform/core';
import { soonest } from '../../platform/mongo';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';

/** The members that hold the end of a wait: of a delay, and of a wait for an event. */
const ENDS = [{ by: 'state.until', isText: true }, { by: 'waitingFor.until' }] as const;

type WaitingExecution = Pick<Execution, '_id' | 'automationId' | 'contactId'>;

/** Lists executions whose wait ends after now: the first ones of each kind of wait, the soonest first. One that waits for an event may continue earlier. */
export async function waitsAhead(
  { projectId }: Pick<Context, 'projectId'>,
  { automationId, contactId }: { readonly automationId?: string | undefined; readonly contactId?: string | undefined },
  request: PageRequest,
  now: Date,
): Promise<readonly Positioned<WaitingExecution>[]> {
  const filter = { projectId, ...(automationId !== undefined && { automationId }), ...(contactId !== undefined && { contactId }) };
  const shown = { automationId: 1, contactId: 1 } as const;
  const found: Positioned<WaitingExecution>[] = [];
  for (const end of ENDS) found.push(...(await soonest<Execution>(ExecutionModel, filter, end, request, now, shown)));
  return found;
}
