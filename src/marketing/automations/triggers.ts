import { LRUCache } from 'lru-cache';
import type { Core } from '../../platform/core';
import { perDatabase } from '../../platform/mongo';
import type { Event } from '../../records/events';
import type { Consumer } from '../../records/fan-out';
import { cancelOfContact } from './cancel';
import { enrolByEvent } from './enrol';
import { triggersOfEvent } from './listening';
import { AutomationModel } from './model';
import type { Automation } from './model';

type ByTrigger = ReadonlyMap<string, readonly string[]>;

/** Active automations of a project by their triggers; activating or pausing one makes a new version. */
const activeOf = perDatabase(() => new LRUCache<string, Promise<ByTrigger>>({ max: 10_000 }));

async function load(projectId: string): Promise<ByTrigger> {
  const rows = await AutomationModel.find({ projectId, status: 'active' }, { trigger: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .lean<Automation[]>();
  const byTrigger = new Map<string, string[]>();
  for (const { _id, trigger } of rows) byTrigger.set(trigger, [...(byTrigger.get(trigger) ?? []), _id]);
  return byTrigger;
}

function activeIn(projectId: string, version: number): Promise<ByTrigger> {
  const active = activeOf();
  const key = `${projectId}/${version}`;
  const cached = active.get(key);
  if (cached) return cached;
  const asked = load(projectId);
  active.set(key, asked);
  asked.catch(() => active.delete(key));
  return asked;
}

async function handle(core: Core, event: Event, version: number): Promise<void> {
  const { projectId, contactId } = event;
  if (contactId === null) return;
  if (event.name === 'contact.deleted') await cancelOfContact(core, projectId, contactId, event.receivedAt);
  if (event.enrols === false) return;
  const automations = await activeIn(projectId, version);
  const started = triggersOfEvent(event).flatMap((trigger) => automations.get(trigger) ?? []);
  for (const automationId of new Set(started)) await enrolByEvent(core, automationId, contactId, event);
}

/** Enrols the contacts of events, and ends the executions of contacts that are deleted. */
export const automationTriggers: Consumer = { name: 'automation triggers', handle };
