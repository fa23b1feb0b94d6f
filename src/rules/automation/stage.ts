import type { DigestItem } from './digest';
import { addDuration } from './duration';
import type { StoredTree } from './graph';
import type { RehearsalOptions, RehearsalPorts, RehearsedEmail, RehearsedEvent, World } from './rehearsal';

interface ScriptedEvent extends RehearsedEvent {
  readonly eventId: string;
}

/** The world of one rehearsal, as far as it has come. */
export interface Stage<Contact> {
  readonly ports: RehearsalPorts<Contact>;
  readonly until: Date | undefined;
  readonly trigger: World<Contact>['trigger'];
  /** The trigger's filter. */
  readonly filter: StoredTree | undefined;
  /** In the order of their instants. */
  readonly script: readonly ScriptedEvent[];
  readonly emitted: RehearsedEvent[];
  readonly emails: RehearsedEmail[];
  readonly segmentIds: Set<string>;
  /** Number of events of the script that are past, or were taken by a wait. */
  delivered: number;
  /** The events that a digest has gathered. */
  items?: readonly DigestItem[];
  contact: Contact;
  now: Date;
}

/** Puts together what a rehearsal begins with. */
export function setStage<Contact>(
  ports: RehearsalPorts<Contact>,
  options: RehearsalOptions<Contact>,
  filter: StoredTree | undefined,
): Stage<Contact> {
  const { startsAt, trigger, events = [], segmentIds = [], contact, until } = options;
  const script = events.map(({ name, data = {}, after }, index) => ({
    eventId: `script_${index}`,
    name,
    data,
    at: addDuration(startsAt, after),
  }));
  return {
    ports,
    until,
    filter,
    contact,
    trigger: trigger?.data ?? {},
    script: script.sort(byInstant),
    emitted: trigger ? [{ ...trigger, at: startsAt }] : [],
    emails: [],
    segmentIds: new Set(segmentIds),
    delivered: 0,
    now: startsAt,
  };
}

const byInstant = (a: { readonly at: Date }, b: { readonly at: Date }): number => a.at.getTime() - b.at.getTime();

/** Shows a rehearsal's contact, events and mail as they are at its present instant, for conditions to judge. */
export function worldOf<Contact>({ now, contact, trigger, items, script, emitted, emails, segmentIds }: Stage<Contact>): World<Contact> {
  const past = script.filter(({ at }) => at <= now).map(({ name, data, at }) => ({ name, data, at }));
  return {
    now,
    contact,
    trigger,
    ...(items && { items }),
    events: [...emitted, ...past].sort(byInstant),
    emails: emails.filter(({ at }) => at <= now).sort(byInstant),
    segmentIds: new Set(segmentIds),
  };
}

/** Moves the clock, never backwards; false when that would pass the end. */
export function advanceTo<Contact>(stage: Stage<Contact>, at: Date): boolean {
  if (stage.until && at > stage.until) return false;
  if (at > stage.now) stage.now = at;
  while ((stage.script[stage.delivered]?.at ?? stage.now) < stage.now) stage.delivered += 1;
  return true;
}
