import type { Context } from '../../platform/core';
import { changed, contactWithFacts, getContact } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { topicsAsked } from '../../audience/topics';
import { AppError } from '../../platform/core';
import { checkGraph } from '../../rules/automation/check';
import type { Duration } from '../../rules/automation/duration';
import { addDuration } from '../../rules/automation/duration';
import type { Graph } from '../../rules/automation/graph';
import { references } from '../../rules/automation/references';
import { rehearse, instantsOf } from '../../rules/automation/rehearse';
import type { Rehearsal, RehearsalPorts, World } from '../../rules/automation/rehearsal';
import { startsAsked } from '../../records/emails';
import { compileFacts } from '../../rules/conditions/compile';
import { evaluate } from '../../rules/conditions/evaluate';
import type { Facts } from '../../rules/conditions/evaluate';
import { factsNeeded } from '../../rules/conditions/inventory';
import { occurrenceKey } from '../../rules/conditions/types';
import type { Occurrence, Tree } from '../../rules/conditions/types';
import type { ContactChange } from '../../rules/contact-change';
import { membersAmong } from '../../audience/segments';
import { automationMailRehearsal } from '../../sending/accept';
import { findSuppressions } from '../../records/suppressions';
import { filledTree, meant } from '../../rules/automation/trees';
import { scopeOf } from './act';
import { refuseFaults, textFaults } from './check';
import { contactChange, filled, variablesOf } from './texts';
import { EMPTY_GRAPH, readGraph } from './graphs';
import { nameOfTrigger } from './listening';
import type { Automation } from './model';
import { mailOf } from './send-node';
import { readAutomation } from './service';

type Data = Readonly<Record<string, unknown>>;

export interface RehearsalRequest {
  /** An existing contact. */
  readonly contactId?: string | undefined;
  /** Or an imagined one. */
  readonly contact?: (ContactChange & { readonly email?: string | undefined }) | undefined;
  /** Data of the triggering event. */
  readonly data?: Data | undefined;
  readonly events?: readonly { readonly name: string; readonly data?: Data | undefined; readonly after: Duration }[] | undefined;
  readonly start?: Date | undefined;
  readonly until?: Duration | undefined;
  /** Answers of the servers of webhook nodes, by node; the others answer 200. */
  readonly webhooks?: Readonly<Record<string, WebhookAnswer>> | undefined;
}

interface WebhookAnswer {
  readonly status: number;
  readonly body?: string | undefined;
}

const SOMEBODY = 'somebody@example.com';
/** Decides what `split` chooses: the same at every rehearsal. */
const REHEARSAL = 'rehearsal';
const OK: WebhookAnswer = { status: 200 };

/**
 * Runs an automation for one contact in virtual time (docs/automations.md, Rehearse an automation). Nothing is sent, stored or emitted.
 * Throws `not_found` for the automation and the contact, and 422 for a graph that cannot run.
 */
export async function rehearseAutomation(ctx: Context, id: string, request: RehearsalRequest): Promise<Rehearsal> {
  const automation = await readAutomation(ctx.projectId, id);
  const graph = readGraph(automation.graph) ?? EMPTY_GRAPH;
  refuseFaults([...checkGraph(graph), ...(await textFaults(graph))]);
  const { contactId, data = {}, events = [], until, start = new Date(), webhooks } = request;
  const contact = contactId === undefined ? inventedContact(ctx, request.contact ?? {}, start) : await getContact(ctx, contactId);
  return rehearse(graph, await portsFor(ctx, automation, contact, webhooks), {
    executionId: REHEARSAL,
    startsAt: start,
    contact,
    segmentIds: await segmentsOf(ctx.projectId, graph, contact._id),
    trigger: { name: nameOfTrigger(automation.trigger), data },
    events: events.map(({ name, data: own, after }) => ({ name, after, ...(own && { data: own }) })),
    ...(until && { until: addDuration(start, until) }),
  });
}

function inventedContact(
  { projectId }: Context,
  { email = SOMEBODY, ...change }: NonNullable<RehearsalRequest['contact']>,
  at: Date,
): Contact {
  const blank = { firstName: null, lastName: null, subscribed: true, data: null, locale: null, timezone: null, optedOutAt: null };
  return changed({ _id: REHEARSAL, projectId, email, ...blank, createdAt: at, updatedAt: at }, change, at).after;
}

async function segmentsOf(projectId: string, graph: Graph, contactId: string): Promise<readonly string[]> {
  const asked = new Set(references(graph).segmentIds.map(({ id }) => id));
  const found = await Promise.all(
    [...asked].map(async (id) => ((await membersAmong(projectId, id, [contactId])).has(contactId) ? [id] : [])),
  );
  return found.flat();
}

/** Resolves to the sources of a rehearsal: real conditions, real templates, and the contact's data. */
export async function portsFor(
  ctx: Context,
  automation: Pick<Automation, '_id' | 'name' | 'windows'>,
  contact: Contact,
  webhooks: RehearsalRequest['webhooks'] = {},
): Promise<RehearsalPorts<Contact>> {
  const suppressions = await findSuppressions(ctx.projectId, ctx.project.idSalt, [contact.email]);
  const suppression = suppressions.get(contact.email) ?? null;
  const rehearseMail = automationMailRehearsal(ctx);
  const scopeIn = (world: World<Contact>) => scopeOf({ core: ctx.core, automation, ...world });
  return {
    fill: (values, world) => filled(values, scopeIn(world)) as Data,
    holds: async (stored, world) => {
      const tree = meant(filledTree(stored, (value) => filled(value, scopeIn(world))));
      return evaluate(tree, world.contact, await factsOf(tree, world), world.now);
    },
    render: async (message, world) => {
      const mail = { ...mailOf(message, variablesOf(automation, world, message.variables)), windows: automation.windows ?? null };
      const addressed = { contactId: world.contact._id, contact: world.contact, suppression };
      try {
        return await rehearseMail({ addressed, email: world.contact.email, mail, now: world.now });
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'send_failed')) throw error;
        return { failed: error.message };
      }
    },
    update: (change, world) => changed(world.contact, contactChange(change, scopeIn(world)), world.now).after,
    call: ({ id }) => {
      const { status, body = null } = (Object.hasOwn(webhooks, id) && webhooks[id]) || OK;
      const ok = status >= 200 && status < 300;
      return { ok, status, body, error: ok ? null : `The server answered ${status}` };
    },
  };
}

/** Merges stored facts with the rehearsal's, which come later: the latest n times may be of both. */
async function factsOf(tree: Tree, world: World<Contact>): Promise<Facts> {
  const { events, emails } = factsNeeded(tree);
  const occurrences = new Map<string, Date>();
  const stored: { readonly key: string; readonly wanted: Occurrence }[] = [];
  for (const occurrence of [...events, ...emails]) {
    const rehearsed = instantsOf(world, occurrence);
    const key = occurrenceKey(occurrence);
    const at = rehearsed.at(-occurrence.nth);
    if (at) occurrences.set(key, at);
    else stored.push({ key, wanted: { ...occurrence, nth: occurrence.nth - rehearsed.length } });
  }
  const absent = stored.map(({ wanted }) => wanted);
  const found = await storedOccurrences(world.contact, absent);
  for (const { key, wanted } of stored) {
    const at = found.get(occurrenceKey(wanted));
    if (at) occurrences.set(key, at);
  }
  const topics = await topicsAsked(world.contact.projectId, tree);
  return { occurrences, memberOf: world.segmentIds, trigger: world.trigger, ...(world.items && { items: world.items }), topics };
}

async function storedOccurrences({ _id, projectId }: Contact, wanted: readonly Occurrence[]): Promise<Facts['occurrences']> {
  if (wanted.length === 0) return new Map();
  const conditions = wanted.map((occurrence) => ({ on: 'activity' as const, occurrence, test: { is: 'happened' as const, ms: null } }));
  const needed = factsNeeded({ logic: 'and', groups: [{ filters: conditions, nested: null }] });
  const { stages, read } = compileFacts(needed, projectId, await startsAsked(projectId, needed));
  const contact = await contactWithFacts(projectId, _id, stages);
  return contact ? read(contact).occurrences : new Map();
}
