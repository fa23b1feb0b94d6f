import type { EmailFacts } from '../../records/emails';
import { newId } from '../../platform/core';
import { COMPANY_MS, addVisits, judgeVisits } from '../../rules/visits';
import type { PeoplesVisits } from '../../rules/visits';
import { imageProxyOf } from './machine';
import type { MachineReason, Hit } from './machine';
import type { HitTrail, TrailVisit, VisitEvent } from './model';

const MINUTE_MS = 60_000;
/** The visits of a trail: more of one message within a minute are counted as they were checked. */
const MOST_VISITS = 100;

/** An event that a visit has from now on. */
export interface NewVisitEvent extends VisitEvent {
  readonly visit: TrailVisit;
  /** The request; absent for a visit of a moment ago whose event was another's that turned out to be a machine's. */
  readonly hit?: Hit;
}

/** An event that says something else from now on. */
export interface ChangedVisitEvent {
  readonly was: VisitEvent;
  readonly first: boolean;
  readonly visit: TrailVisit;
}

/** Effects of new hits on a message. */
export interface Followed {
  readonly email: EmailFacts;
  readonly trail: HitTrail;
  /** Engagement of people, by all that is known now. */
  readonly people: PeoplesVisits;
  /** Visits that are a machine's, and were not known to be. */
  readonly machines: readonly TrailVisit[];
  /** Clicks by people that were not counted yet, and those counted as a person's that were a machine's. */
  readonly clicked: readonly TrailVisit[];
  readonly retracted: readonly TrailVisit[];
  readonly emitted: readonly NewVisitEvent[];
  readonly changed: readonly ChangedVisitEvent[];
}

const msOf = (at: Date | null): number | null => at?.getTime() ?? null;

/** Checks visits by what their requests show; with `judgesTime`, by their time too. */
const reasonsOf = (email: EmailFacts, visits: readonly TrailVisit[], judgesTime: boolean): readonly (string | null)[] =>
  judgesTime
    ? judgeVisits(visits, {
        sentAt: msOf(email.sentAt),
        isGoing: email.status === 'sending',
        countsOpens: !email.untracked?.includes('opens'),
      })
    : visits.map(({ machine }) => machine);

/** Follows a message on: checks its hits with those of the minute before. Pure, but for the ids of events. */
export function follow(email: EmailFacts, known: HitTrail | undefined, hits: readonly Hit[], judgesTime: boolean): Followed {
  const now = Math.max(...hits.map(({ at }) => at.getTime()));
  const recent = shortened(known ?? emptyTrail(email), now);
  const arriving = hits.map(visitOf);
  const hitOf = new Map(arriving.map((visit, index) => [visit, hits[index]]));
  const all = [...recent.visits, ...arriving];
  const reasons = reasonsOf(email, all, judgesTime);
  const judged = all.map((visit, index) => ({ ...visit, machine: reasons[index] ?? null }));
  const people = addVisits(recent.before, judged, reasons);
  const isNew = (index: number): boolean => index >= recent.visits.length;
  const isRetracted = (index: number): boolean => !isNew(index) && all[index]?.machine === null && reasons[index] !== null;
  const clicks = (of: (index: number) => boolean) => judged.filter(({ kind }, index) => kind === 'click' && of(index));
  const said = eventsOf(judged, recent, people);
  const visits = judged.map((visit, index) => ({ ...visit, events: said[index] ?? [] }));
  const emitted = judged.flatMap((visit, index) => {
    const hit = hitOf.get(all[index] as TrailVisit);
    return (said[index] ?? []).slice(visit.events.length).map((event) => ({ ...event, visit, ...(hit && { hit }) }));
  });
  const changed = judged.flatMap((visit, index) =>
    visit.events.flatMap((was, nth) => {
      const first = said[index]?.[nth]?.first ?? false;
      return isRetracted(index) || first !== was.first ? [{ was, first, visit }] : [];
    }),
  );
  return {
    email,
    people,
    machines: judged.filter((visit, index) => visit.machine !== null && (isNew(index) || isRetracted(index))),
    clicked: clicks((index) => isNew(index) && reasons[index] === null),
    retracted: clicks(isRetracted),
    emitted,
    changed,
    trail: shortened({ ...recent, _id: email._id, at: new Date(now), visits }, now),
  };
}

const emptyTrail = ({ _id, opens, clicks, openedAt, clickedAt }: EmailFacts): HitTrail => ({
  _id,
  at: new Date(0),
  before: { opens, clicks, openedAt: msOf(openedAt), clickedAt: msOf(clickedAt) },
  visits: [],
  marks: [],
});

const visitOf = (hit: Hit): TrailVisit => ({
  kind: hit.kind,
  url: hit.url,
  client: hit.client,
  at: hit.at.getTime(),
  machine: hit.machine,
  isProxied: imageProxyOf(hit) !== null,
  events: [],
});

/** Counts what is older than a minute, or too much, among what was before: its judgment stays. */
function shortened(trail: HitTrail, now: number): HitTrail {
  const { visits } = trail;
  const isOld = ({ at }: TrailVisit): boolean => at < now - COMPANY_MS;
  let old = Math.max(0, visits.length - MOST_VISITS);
  for (let next = visits[old]; next && isOld(next); next = visits[old]) old += 1;
  const gone = visits.slice(0, old);
  const marks = [...trail.marks, ...gone.flatMap((visit) => visit.events.map(({ name }) => ({ mark: markOf(name, visit), at: visit.at })))];
  return {
    ...trail,
    before: addVisits(
      trail.before,
      gone,
      gone.map(({ machine }) => machine),
    ),
    visits: visits.slice(old),
    // What is left may lack an event because of one a minute before.
    marks: marks.filter(({ at }) => at >= now - 2 * MINUTE_MS),
  };
}

/** Visits that an event speaks for: of the same kind, to the same link, by persons or recognized in the same way. */
const markOf = (name: VisitEvent['name'], { kind, url, machine }: TrailVisit): string =>
  JSON.stringify([name, name === 'email.clicked' && kind === 'click' ? url : null, machine]);

/**
 * Returns the events of each visit: those it has, and the one it gets because none like it came in the minute before. A click by which the message counts as opened has the
 * event of an open too. Exactly one event says that it is the first, unless that was said before.
 */
function eventsOf(visits: readonly TrailVisit[], { before, marks }: HitTrail, people: PeoplesVisits): readonly (readonly VisitEvent[])[] {
  const last = new Map(marks.map(({ mark, at }) => [mark, at]));
  const first = { 'email.opened': before.openedAt === null, 'email.clicked': before.clickedAt === null };
  let isOpened = before.openedAt !== null;
  const isFirst = (name: VisitEvent['name'], { machine, at }: TrailVisit): boolean => {
    const began = name === 'email.opened' ? people.openedAt : people.clickedAt;
    if (machine !== null || !first[name] || at !== began) return false;
    return !(first[name] = false);
  };
  return visits.map((visit) => {
    const opens = visit.kind === 'open' || (visit.machine === null && !isOpened);
    if (visit.machine === null) isOpened = true;
    const names = [...(opens ? (['email.opened'] as const) : []), ...(visit.kind === 'click' ? (['email.clicked'] as const) : [])];
    const known = visit.events.map((event) => ({ ...event, first: isFirst(event.name, visit) }));
    const missing = names.filter((name) => {
      if (known.some((event) => event.name === name)) return false;
      return visit.at - (last.get(markOf(name, visit)) ?? -Infinity) >= MINUTE_MS;
    });
    for (const name of [...known.map(({ name: of }) => of), ...missing]) last.set(markOf(name, visit), visit.at);
    return [...known, ...missing.map((name) => ({ id: newId('evt'), name, first: isFirst(name, visit) }))];
  });
}

/** Returns the judgment of a visit, as events say it. */
export const reasonOf = ({ machine }: TrailVisit): MachineReason | null => machine as MachineReason | null;
