import { BaseEdge, EdgeLabelRenderer, getBezierPath } from '@xyflow/react';
import type { Edge, EdgeProps } from '@xyflow/react';
import type { ReactNode } from 'react';
import { AddButton } from './step.tsx';

interface Shown extends Record<string, unknown> {
  readonly label: string;
  /** Offers a step in between, where the graph may be changed. */
  readonly add: (() => void) | undefined;
}

export type FlowEdge = Edge<Shown, 'way'>;

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
