import { askedSignal, optInWorkflowId } from '../../contracts/opt-in';
import type { StartIntent } from '../../contracts/processes';
import type { OptIn } from './model';

/** Returns the intent of the workflow that keeps the time of an opt-in; one that runs checks again at once. */
export const optInIntent = ({ _id, projectId, contactId }: OptIn): StartIntent => ({
  kind: 'start',
  workflow: 'optIn',
  workflowId: optInWorkflowId(_id),
  input: { optInId: _id, projectId },
  summary: 'Double opt-in',
  attributes: { projectId, contactId },
  signal: askedSignal.name,
  again: true,
  lasts: true,
});
