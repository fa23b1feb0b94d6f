import { findContact } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import type { Event } from '../../records/events';
import { eventMatches } from '../../rules/automation/match-event';
import { awaitedBy } from '../../rules/automation/message-events';
import { holdsPlaceholder } from '../../rules/automation/placeholders';
import type { WaitConfig } from '../../rules/automation/nodes/wait-for-event';
import { scopeOf } from './act';
import type { Execution } from './execution-model';
import { happenedIn } from './happened';
import { automationNow, executionNow } from './now';
import { sentIn } from './send-node';
import { filled } from './texts';

type Filter = WaitConfig['filter'];
type Key = Pick<Execution, '_id' | 'projectId' | 'createdAt'>;

/** Resolves to the first of some events that ends a wait, checked by the contact as it is now; null when none does, or the execution or its contact is gone. */
export async function firstThatEnds<E extends Pick<Event, 'data' | 'emailId'>>(
  core: Core,
  execution: Key,
  config: WaitConfig,
  events: readonly E[],
): Promise<E | null> {
  const { nodeId, filter } = awaitedBy(config);
  const emailId = nodeId === null ? null : sentIn(execution)(nodeId);
  const possible = emailId === null ? events : events.filter((event) => event.emailId === emailId);
  if (possible.length === 0) return null;
  const wanted = await filledFilter(core, execution, filter);
  return wanted === null ? null : (possible.find(({ data }) => eventMatches(wanted, data)) ?? null);
}

/** Replaces the placeholders of a filter; null when the execution or its contact is gone. */
async function filledFilter(core: Core, { _id, projectId }: Key, filter: Filter): Promise<Filter | null> {
  if (!holdsPlaceholder(filter)) return filter;
  const execution = await executionNow({ executionId: _id, projectId });
  if (!execution?.contactId) return null;
  const { automationId, contactId } = execution;
  const [automation, contact] = await Promise.all([automationNow(projectId, automationId), findContact(projectId, contactId)]);
  if (!automation || !contact) return null;
  return filled(filter, scopeOf({ core, automation, contact, ...happenedIn(execution) })) as Filter;
}
