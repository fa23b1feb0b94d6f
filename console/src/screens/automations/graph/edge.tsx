import { BaseEdge, EdgeLabelRenderer, MarkerType, getBezierPath } from '@xyflow/react';
import type { Edge, EdgeProps } from '@xyflow/react';
import type { KeyboardEvent, ReactNode } from 'react';
import { outcomesOf } from './model.ts';
import type { Graph, Outcome } from './model.ts';
import { AddButton } from './step.tsx';
import type { Titles } from './titles.ts';

interface Shown extends Record<string, unknown> {
  readonly label: string;
  /** Offers a step in between, where the graph may be changed. */
  readonly add: (() => void) | undefined;
}

export type FlowEdge = Edge<Shown, 'way'>;

/** Lets an outcome lead to a node, or nowhere if that is empty. */
export type Connect = (from: string, branch: string | null, to: string) => void;

const ARROW = { type: MarkerType.ArrowClosed, width: 18, height: 18, color: 'var(--line-strong)' } as const;
const PASSED_ARROW = { ...ARROW, width: 12, height: 12, color: 'var(--accent)' } as const;

type Path = ReadonlyMap<string, string | null | undefined> | undefined;

const isPassedBy = (path: Path, { from, branch, to }: Graph['edges'][number]): boolean =>
  path?.has(from) === true && path.has(to) && (path.get(from) ?? null) === (branch ?? null);

interface Look {
  /** The nodes that somebody has passed, by the outcome that each took. */
  readonly path: Path;
  readonly labelOf: Titles['labelOf'];
  /** Undefined where the graph may not be changed. */
  readonly add: ((at: Outcome) => void) | undefined;
  readonly connect: Connect | undefined;
}

const removing = (from: string, remove: () => void) => (event: KeyboardEvent<SVGGElement>) => {
  if (event.key !== 'Delete') return;
  // Elsewhere this key removes the selected step.
  event.stopPropagation();
  const drawing = event.currentTarget.closest('.react-flow');
  remove();
  drawing?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(from)}"]`)?.focus();
};

/** Returns the connections of a graph as they are drawn. */
export function edgesOf({ edges, nodes }: Graph, { path, labelOf, add, connect }: Look): FlowEdge[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap((edge): FlowEdge[] => {
    const { from, to, branch = null } = edge;
    const [source, target] = [known.get(from), known.get(to)];
    // An outcome that the node has no more has no position to begin at.
    if (!source || !target || !outcomesOf(source).includes(branch)) return [];
    const [start, end] = [labelOf(source), labelOf(target)];
    return [
      {
        id: JSON.stringify([from, branch, to]),
        type: 'way',
        source: from,
        target: to,
        sourceHandle: branch,
        markerEnd: ARROW,
        selectable: false,
        ariaLabel: `${start}${branch === null ? '' : `, “${branch}”,`} leads to ${end}`,
        domAttributes: {
          'aria-roledescription': 'connection',
          ...(connect && { onKeyDown: removing(from, () => connect(from, branch, '')) }),
        },
        data: {
          label: `Add between ${start} and ${end}`,
          add: add && (() => add({ from, branch })),
        },
        ...(isPassedBy(path, edge) && { className: 'passed', markerEnd: PASSED_ARROW }),
      },
    ];
  });
}

/** Draws a connection of two nodes. */
export function Way({ id, data, markerEnd, ...ends }: EdgeProps<FlowEdge>): ReactNode {
  const [path, x, y] = getBezierPath(ends);
  return (
    <>
      <BaseEdge id={id} path={path} {...(markerEnd !== undefined && { markerEnd })} />
      {data?.add && (
        <EdgeLabelRenderer>
          <div className="between" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
            <AddButton label={data.label} add={data.add} />
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}
