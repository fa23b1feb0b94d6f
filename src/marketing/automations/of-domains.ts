import type { ClientSession } from 'mongoose';
import { domainOf } from '../../platform/addresses';
import { findTemplates } from '../../sending/templates';
import { AutomationModel } from './model';
import type { Automation } from './model';

/** Finds the name of an active automation that sends from a domain, by its graph or by a template; null when there is none. */
export async function automationSendingFrom(session: ClientSession, projectId: string, domain: string): Promise<string | null> {
  const named = { projectId, 'uses.domains': domain, status: 'active' } as const;
  const first = await AutomationModel.findOne(named, { name: 1 }, { session }).lean<Pick<Automation, 'name'>>();
  return first?.name ?? byTemplate(session, projectId, domain);
}

async function byTemplate(session: ClientSession, projectId: string, domain: string): Promise<string | null> {
  const sending = { projectId, 'uses.templates': { $gt: '' }, status: 'active' } as const;
  const rows = await AutomationModel.find(sending, { name: 1, 'uses.templates': 1 }, { session }).lean<
    Pick<Automation, 'name' | 'uses'>[]
  >();
  const templates = await findTemplates(projectId, [...new Set(rows.flatMap(({ uses }) => uses.templates))], session);
  const isFrom = (id: string): boolean => domainOf(templates.get(id)?.fromEmail ?? '') === domain;
  return rows.find(({ uses }) => uses.templates.some(isFrom))?.name ?? null;
}
