import type { Archive } from './archive.ts';

/** Contents of an export, in numbers and names. */
export interface Numbers {
  readonly contacts: number;
  readonly optedOut: number;
  /** Addresses that get blocked, by reason. */
  readonly suppressions: Readonly<Record<string, number>>;
  /** Names. */
  readonly topics: readonly string[];
  readonly segments: readonly string[];
  readonly customFields: readonly string[];
  readonly templates: readonly string[];
  readonly leftOut: readonly { readonly count: number; readonly reason: string }[];
}

/** Counts what an export holds, and what of it is left out. */
export function numbersOf(archive: Archive): Numbers {
  const people = [...archive.people.values()];
  const suppressions: Record<string, number> = {};
  for (const reason of archive.suppressions.values()) suppressions[reason] = (suppressions[reason] ?? 0) + 1;
  return {
    contacts: people.length,
    optedOut: people.filter(({ optedOut }) => optedOut).length,
    suppressions,
    topics: [...archive.topics.values()],
    segments: [...new Set(people.flatMap(({ segments }) => [...segments]))],
    customFields: [...new Set(people.flatMap(({ data }) => Object.keys(data)))],
    templates: archive.templates.map(({ name }) => name),
    leftOut: archive.leftOut,
  };
}
