import { Background, Controls, ReactFlow } from '@xyflow/react';
import type { Connection, NodeChange, ReactFlowInstance } from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import '@xyflow/react/dist/base.css';
import { Way, edgesOf } from './edge.tsx';
import type { Connect, FlowEdge } from './edge.tsx';
import { placesOf } from './layout.ts';
import type { Place } from './layout.ts';
import { nextOf, outcomesOf } from './model.ts';
import type { Graph, Outcome } from './model.ts';
import { Step } from './step.tsx';
import type { FlowNode } from './step.tsx';
import { useTitles } from './titles.ts';
import type { Titles } from './titles.ts';
import './graph.css';

/** Additions to each node. */
interface Marks {
  /** Figures, in words. */
  readonly notes?: ReadonlyMap<string, string>;
  readonly faults?: ReadonlyMap<string, readonly { readonly message: string }[]>;
  /** The nodes that somebody has passed, each with the outcome it took; null where it took none yet. */
  readonly path?: ReadonlyMap<string, string | null | undefined>;
}

const NODE_TYPES = { step: Step };
const EDGE_TYPES = { way: Way };

type Add = ((at: Outcome) => void) | undefined;

/** Words on the keys, for screen readers: where the graph can be read alone, and where it can be drawn. */
const READING = { 'node.a11yDescription.keyboardDisabled': 'Press Enter to choose this step.' } as const;
const DRAWING = {
  'node.a11yDescription.keyboardDisabled':
    'Press Enter to choose this step. Once it is chosen, the arrow keys move it and Delete removes it. The trigger cannot be removed.',
  // The library reports where the step was before.
  'node.a11yDescription.ariaLiveMessage': ({ direction, x, y }: { direction: string; x: number; y: number }) =>
    `Moved ${direction} from ${x}, ${y}.`,
  'edge.a11yDescription.default': 'Press Delete to remove this connection.',
} as const;

interface CanvasProps {
  /** Description for people who do not see it. */
  readonly label: string;
  readonly graph: Graph;
  readonly marks?: Marks;
  readonly selected?: string | null;
  readonly select: (id: string) => void;
  /** Called when a node has moved, where that is possible. */
  readonly move?: (id: string, place: Place) => void;
  readonly connect?: Connect;
  /** Offers a step at an outcome. */
  readonly add?: (at: Outcome) => void;
}

const NO_MARKS: Marks = {};

/** State of a node in the drawing: its size, and its position while it is dragged. */
interface Drawn {
  readonly measured?: { readonly width: number; readonly height: number };
  readonly position?: Place;
}

interface Look {
  readonly marks: Marks;
  readonly selected: string | null;
  readonly canConnect: boolean;
  readonly add: Add;
  readonly titles: Titles;
}

function nodesOf(graph: Graph, { marks, selected, canConnect, add, titles }: Look, drawn: ReadonlyMap<string, Drawn>): FlowNode[] {
  const places = placesOf(graph);
  return graph.nodes.map((node) => {
    const { measured, position } = drawn.get(node.id) ?? {};
    const [title, label] = [titles.titleOf(node), titles.labelOf(node)];
    return {
      id: node.id,
      type: 'step',
      position: position ?? places.get(node.id) ?? { x: 0, y: 0 },
      selected: node.id === selected,
      ariaLabel: label,
      domAttributes: { 'aria-roledescription': 'step' },
      data: {
        node,
        title,
        label,
        canConnect,
        note: marks.notes?.get(node.id),
        faults: marks.faults?.get(node.id) ?? [],
        isPassed: marks.path?.has(node.id) === true,
        add,
        open: outcomesOf(node).filter((branch) => nextOf(graph, node.id, branch) === ''),
      },
      ...(measured && { measured }),
    };
  });
}

function withChange(drawn: ReadonlyMap<string, Drawn>, change: NodeChange<FlowNode>): ReadonlyMap<string, Drawn> {
  if (change.type === 'dimensions' && change.dimensions) {
    return new Map(drawn).set(change.id, { ...drawn.get(change.id), measured: change.dimensions });
  }
  if (change.type !== 'position' || !change.position) return drawn;
  const { position: _old, ...rest } = drawn.get(change.id) ?? {};
  // When it is dropped, the graph's position applies again.
  return new Map(drawn).set(change.id, change.dragging === true ? { ...rest, position: change.position } : rest);
}

const STEP_WIDTH = 220;
const MOVES_MS = 250;

/** Moves the drawing to the selected node where it is out of sight. */
function useFollowing(
  graph: Graph,
  selected: string | null,
  flow: ReactFlowInstance<FlowNode, FlowEdge> | null,
): React.RefObject<HTMLElement | null> {
  const canvas = useRef<HTMLElement>(null);
  useEffect(() => {
    const place = selected === null ? undefined : placesOf(graph).get(selected);
    const bounds = canvas.current?.getBoundingClientRect();
    if (!flow || !place || !bounds) return;
    const corners = [place, { x: place.x + STEP_WIDTH, y: place.y + STEP_WIDTH / 2 }].map((corner) => flow.flowToScreenPosition(corner));
    const isSeen = corners.every(({ x, y }) => x >= bounds.left && x <= bounds.right && y >= bounds.top && y <= bounds.bottom);
    if (isSeen) return;
    const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVES_MS;
    void flow.setCenter(place.x + STEP_WIDTH / 2, place.y + STEP_WIDTH / 4, { zoom: flow.getZoom(), duration });
    // Only a choice moves the drawing: not what is typed, nor a step that is dragged.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [selected, flow]);
  return canvas;
}

/** Draws a graph. Everything that can be done in it can also be done next to it, with the keyboard or a screen reader. */
export function Canvas({ label, graph, marks = NO_MARKS, selected = null, select, move, connect, add }: CanvasProps): ReactNode {
  const canConnect = connect !== undefined;
  const [drawn, setDrawn] = useState<ReadonlyMap<string, Drawn>>(() => new Map());
  const [flow, setFlow] = useState<ReactFlowInstance<FlowNode, FlowEdge> | null>(null);
  const canvas = useFollowing(graph, selected, flow);
  const titles = useTitles();
  const nodes = useMemo(
    () => nodesOf(graph, { marks, selected, canConnect, add, titles }, drawn),
    [graph, marks, selected, canConnect, add, titles, drawn],
  );
  const edges = useMemo(
    () => edgesOf(graph, { path: marks.path, add, connect, labelOf: titles.labelOf }),
    [graph, marks.path, add, connect, titles],
  );
  const changed = (changes: NodeChange<FlowNode>[]): void => {
    for (const change of changes) {
      if (change.type === 'select' && change.selected) select(change.id);
      // By an arrow key, or where it was dropped.
      if (change.type !== 'position' || change.dragging === true || !change.position) continue;
      move?.(change.id, { x: Math.round(change.position.x), y: Math.round(change.position.y) });
    }
    setDrawn((before) => changes.reduce(withChange, before));
  };
  const joined = ({ source, sourceHandle, target }: Connection): void => connect?.(source, sourceHandle, target);
  return (
    <section className="canvas" aria-label={label} ref={canvas}>
      <ReactFlow<FlowNode, FlowEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onInit={setFlow}
        onNodesChange={changed}
        onConnect={joined}
        // A connection that is clicked has the focus, so that a key can remove it.
        {...(canConnect && { onEdgeClick: ({ currentTarget }) => (currentTarget as SVGElement).focus() })}
        nodesDraggable={move !== undefined}
        nodesConnectable={canConnect}
        edgesFocusable={canConnect}
        ariaLabelConfig={canConnect ? DRAWING : READING}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        zoomOnScroll={false}
        preventScrolling={false}
        minZoom={0.2}
        maxZoom={1.5}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}
