import { findContact } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { holdsPlaceholder } from '../../rules/automation/placeholders';
import type { WaitConfig } from '../../rules/automation/nodes/wait-for-event';
import { scopeOf } from './act';
import type { Execution } from './execution-model';
import { happenedIn } from './happened';
import { automationNow, executionNow } from './now';
import { filled } from './texts';

type Filter = WaitConfig['filter'];

/** Returns the filter of a wait with its placeholders replaced, by the contact as it is now; null when the execution or its contact is gone. */
export async function waitFilter(
  core: Core,
  { _id, projectId }: Pick<Execution, '_id' | 'projectId'>,
  filter: Filter,
): Promise<Filter | null> {
  if (!holdsPlaceholder(filter)) return filter;
  const execution = await executionNow({ executionId: _id, projectId });
  if (!execution?.contactId) return null;
  const { automationId, contactId } = execution;
  const [automation, contact] = await Promise.all([automationNow(projectId, automationId), findContact(projectId, contactId)]);
  if (!automation || !contact) return null;
  return filled(filter, scopeOf({ core, automation, contact, ...happenedIn(execution) })) as Filter;
}
