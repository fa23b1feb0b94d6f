import { outcomesOf } from './model.ts';
import type { Graph, GraphNode } from './model.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}

const ACROSS = 270;
const BETWEEN = 40;

/** Returns the number of edges that lead to each node, by the longest path; a cycle is followed once. */
function levelsOf({ nodes, edges }: Graph): ReadonlyMap<string, number> {
  const levels = new Map(nodes.map(({ id }) => [id, 0]));
  // As many passes as the longest way can have edges: a graph with a cycle has no end of them.
  for (let pass = 0; pass < nodes.length; pass++) {
    let isSettled = true;
    for (const { from, to } of edges) {
      const level = (levels.get(from) ?? 0) + 1;
      if (level <= (levels.get(to) ?? level) || level >= nodes.length) continue;
      levels.set(to, level);
      isSettled = false;
    }
    if (isSettled) break;
  }
  return levels;
}

function placeOf({ position }: GraphNode): Place | null {
  const { x, y } = (position ?? {}) as { readonly x?: unknown; readonly y?: unknown };
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
}

/** Returns the height of a node with a title of two lines: a step does not move when its title changes. */
const heightOf = (node: GraphNode): number => 110 + (outcomesOf(node).some((branch) => branch !== null) ? 18 : 0);

/** Returns how far a node should be to the side of its predecessors, by the outcome that leads there. */
function sideOf({ nodes, edges }: Graph, id: string, placed: ReadonlyMap<string, number>): number {
  const sides = edges.flatMap(({ from, to, branch = null }) => {
    const x = placed.get(from);
    const source = nodes.find((node) => node.id === from);
    if (to !== id || x === undefined || !source) return [];
    const outcomes = outcomesOf(source);
    return [x + (outcomes.indexOf(branch) - (outcomes.length - 1) / 2) * ACROSS];
  });
  return sides.length === 0 ? 0 : sides.reduce((sum, side) => sum + side, 0) / sides.length;
}

/** Places the nodes of a level next to each other, each as close as possible to its wish. */
function besideEachOther(wishes: readonly (readonly [id: string, side: number])[]): readonly (readonly [id: string, x: number])[] {
  const sorted = wishes.toSorted(([, a], [, b]) => a - b);
  let next = Number.NEGATIVE_INFINITY;
  const spread = sorted.map(([id, side]) => {
    const x = Math.max(side, next);
    next = x + ACROSS;
    return [id, x] as const;
  });
  // As much as the last were pushed to the right all of them go to the left again.
  const pushed = spread.reduce((sum, [, x], at) => sum + x - (sorted[at]?.[1] ?? x), 0) / Math.max(spread.length, 1);
  return spread.map(([id, x]) => [id, x - pushed] as const);
}

/** Returns the position of each node: the one that a user chose, or below its predecessors. */
export function placesOf(graph: Graph): ReadonlyMap<string, Place> {
  const levels = levelsOf(graph);
  const placed = new Map<string, number>();
  const places = new Map<string, Place>();
  let y = 0;
  for (const level of [...new Set(levels.values())].sort((a, b) => a - b)) {
    const here = graph.nodes.filter(({ id }) => levels.get(id) === level);
    for (const [id, x] of besideEachOther(here.map(({ id }) => [id, sideOf(graph, id, placed)] as const))) placed.set(id, x);
    for (const node of here) places.set(node.id, placeOf(node) ?? { x: placed.get(node.id) ?? 0, y });
    y += Math.max(...here.map(heightOf)) + BETWEEN;
  }
  return places;
}
