import { AskedOnce } from '../../platform/async';
import type { Core } from '../../platform/core';
import { perDatabase } from '../../platform/mongo';
import { activeSpans, isWithin } from '../../records/events';
import type { ActiveSpan, Event } from '../../records/events';
import type { Consumer } from '../../records/fan-out';
import { cancelOfContact } from './cancel';
import { enrolByEvent } from './enrol';
import { triggersOfEvent } from './listening';
import { AutomationModel } from './model';
import type { Automation } from './model';

interface Active extends ActiveSpan {
  readonly automationId: string;
}

type ByTrigger = ReadonlyMap<string, readonly Active[]>;

/** When automations of a project were active, by their triggers; activating or pausing one creates a new version. */
const activeOf = perDatabase(() => new AskedOnce<ByTrigger>());

async function load(projectId: string): Promise<ByTrigger> {
  const rows = await AutomationModel.find(
    { projectId, $or: [{ status: 'active' }, { 'earlier.0': { $exists: true } }] },
    { trigger: 1, status: 1, since: 1, earlier: 1 },
  )
    .sort({ createdAt: -1, _id: -1 })
    .lean<Automation[]>();
  const byTrigger = new Map<string, Active[]>();
  for (const row of rows) {
    for (const span of activeSpans(row)) {
      byTrigger.set(span.trigger, [...(byTrigger.get(span.trigger) ?? []), { ...span, automationId: row._id }]);
    }
  }
  return byTrigger;
}

const activeIn = (projectId: string, version: number): Promise<ByTrigger> =>
  activeOf().get(`${projectId}/${version}`, () => load(projectId));

async function handle(core: Core, event: Event, version: number): Promise<void> {
  const { projectId, contactId } = event;
  if (contactId === null) return;
  if (event.name === 'contact.deleted') await cancelOfContact(core, projectId, contactId, event.receivedAt);
  if (event.enrols === false) return;
  const automations = await activeIn(projectId, version);
  const started = triggersOfEvent(event)
    .flatMap((trigger) => automations.get(trigger) ?? [])
    .filter((span) => isWithin(event.fanOutVersion ?? 0, span));
  for (const automationId of new Set(started.map((span) => span.automationId))) await enrolByEvent(core, automationId, contactId, event);
}

/** Enrolls the contacts of events in the automations that were active when they were received, and ends the executions of contacts that are deleted. */
export const automationTriggers: Consumer = { name: 'automation triggers', handle };
