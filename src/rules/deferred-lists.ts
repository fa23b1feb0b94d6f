import type { DeferredList } from '../contracts/waiting-mail';

/** A message that waits for another attempt, or is under way with one. */
export interface Deferred {
  readonly emailId: string;
  readonly projectId: string;
  /** When it is tried again, in milliseconds; null while it is under way. */
  readonly dueAt: number | null;
}

export interface ListRules {
  /** Limit for the messages of a list. */
  readonly size: number;
  /** A list with the same messages is published again when its first attempt moves by more than this. */
  readonly toleranceMs: number;
}

/**
 * Returns the lists to publish, again or for the first time. A message stays in its list while it waits; new ones fill the lists that have
 * room, soonest first, and the rest form new lists. `deferred` is in the order of the next attempts.
 */
export function listsToTell(shown: readonly DeferredList[], deferred: readonly Deferred[], rules: ListRules): readonly DeferredList[] {
  const open = new Map(deferred.map((one) => [one.emailId, one]));
  const kept = shown.toSorted((a, b) => a.list - b.list).map((list) => ({ list, stay: taken(open, list) }));
  const fresh = byProject([...open.values()]);
  const old = kept.map(({ list, stay }) => {
    const room = fresh.get(list.projectId)?.splice(0, rules.size - stay.length) ?? [];
    return { list, next: listOf(list, [...stay, ...room]) };
  });
  const changed = old.filter(({ list, next }) => differs(list, next, rules.toleranceMs)).map(({ next }) => next);
  const added = [...fresh].flatMap(([projectId, rest]) => {
    const numbers = new Set(shown.filter((one) => one.projectId === projectId).map(({ list }) => list));
    return newLists(projectId, rest, numbers, rules.size);
  });
  return [...changed, ...added];
}

function taken(open: Map<string, Deferred>, { emailIds, projectId }: DeferredList): readonly Deferred[] {
  return emailIds.flatMap((emailId) => {
    const one = open.get(emailId);
    if (one?.projectId !== projectId) return [];
    open.delete(emailId);
    return one;
  });
}

function byProject(deferred: readonly Deferred[]): ReadonlyMap<string, Deferred[]> {
  const groups = new Map<string, Deferred[]>();
  for (const one of deferred) {
    const group = groups.get(one.projectId);
    if (group) group.push(one);
    else groups.set(one.projectId, [one]);
  }
  return groups;
}

function newLists(projectId: string, rest: readonly Deferred[], numbers: ReadonlySet<number>, size: number): readonly DeferredList[] {
  const lists: DeferredList[] = [];
  for (let from = 0, list = 1; from < rest.length; list++) {
    if (numbers.has(list)) continue;
    lists.push(listOf({ projectId, list, firstAt: null }, rest.slice(from, from + size)));
    from += size;
  }
  return lists;
}

// While all messages of a list are under way, it says what it said before.
function listOf({ projectId, list, firstAt }: Omit<DeferredList, 'emailIds'>, members: readonly Deferred[]): DeferredList {
  const times = members.flatMap(({ dueAt }) => dueAt ?? []);
  return { projectId, list, emailIds: members.map(({ emailId }) => emailId), firstAt: times.length > 0 ? Math.min(...times) : firstAt };
}

function differs(before: DeferredList, after: DeferredList, toleranceMs: number): boolean {
  const ids = new Set(before.emailIds);
  if (ids.size !== after.emailIds.length || !after.emailIds.every((id) => ids.has(id))) return true;
  return before.firstAt === null || after.firstAt === null
    ? before.firstAt !== after.firstAt
    : Math.abs(before.firstAt - after.firstAt) > toleranceMs;
}
