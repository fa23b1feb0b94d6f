import type { Move } from './use-move.ts';

/** A result, as this browser keeps it: numbers only. Rejected rows stay with the platform. */
export interface KeptMove {
  readonly at: string;
  readonly service: string;
  readonly created: number;
  readonly updated: number;
  readonly suppressions: number;
  readonly topics: number;
  readonly segments: number;
  readonly templates: number;
  readonly leftOut: number;
  /** The job of the contacts; null if there were none. */
  readonly importId: string | null;
}

const MOST = 20;
const keyOf = (projectId: string): string => `lettermill-moves-${projectId}`;

/** Returns the results of a project's imports in this browser, newest first. */
export function keptMoves(projectId: string): readonly KeptMove[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '[]');
    return Array.isArray(kept) ? (kept as KeptMove[]) : [];
  } catch {
    return [];
  }
}

/** Keeps the result of an import, and returns all that are kept. */
export function keepMove(projectId: string, { service, numbers, outcome, importId }: Move): readonly KeptMove[] {
  if (!outcome || !numbers) return keptMoves(projectId);
  const { contacts, suppressions, topics, segments, templates, problems } = outcome;
  const leftOut = numbers.leftOut.reduce((sum, { count }) => sum + count, problems.length);
  const { created, updated } = contacts;
  const move = { at: new Date().toISOString(), service, created, updated, suppressions, topics, segments, templates, leftOut, importId };
  const kept = [move, ...keptMoves(projectId)].slice(0, MOST);
  localStorage.setItem(keyOf(projectId), JSON.stringify(kept));
  return kept;
}
