import { Background, Controls, Handle, MarkerType, Position, ReactFlow } from '@xyflow/react';
import type { Connection, Edge, Node, NodeChange, NodeProps } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import '@xyflow/react/dist/base.css';
import { placesOf } from './layout.ts';
import type { Place } from './layout.ts';
import { outcomesOf, titleOf, typeWords } from './model.ts';
import type { Graph, GraphNode } from './model.ts';
import './graph.css';

/** Additions to each node. */
interface Marks {
  /** Figures, in words. */
  readonly notes?: ReadonlyMap<string, string>;
  readonly faults?: ReadonlyMap<string, readonly { readonly message: string }[]>;
  /** The nodes that somebody has passed, each with the outcome it took; null where it took none yet. */
  readonly path?: ReadonlyMap<string, string | null | undefined>;
}

interface Shown extends Record<string, unknown> {
  readonly node: GraphNode;
  readonly note: string | undefined;
  readonly faults: readonly { readonly message: string }[];
  readonly isPassed: boolean;
  readonly canConnect: boolean;
}

type FlowNode = Node<Shown, 'step'>;

function Step({ data: { node, note, faults, isPassed, canConnect } }: NodeProps<FlowNode>): ReactNode {
  const outcomes = outcomesOf(node);
  return (
    <div className={['step', isPassed && 'passed', faults.length > 0 && 'faulty'].filter(Boolean).join(' ')}>
      {node.type !== 'trigger' && <Handle type="target" position={Position.Top} isConnectable={canConnect} />}
      <p className="step-type">{typeWords(node.type)}</p>
      <p className="step-title">{titleOf(node)}</p>
      {note !== undefined && <p className="step-note">{note}</p>}
      {faults.map(({ message }) => (
        <p key={message} className="fault">
          {message}
        </p>
      ))}
      <div className="outcomes">
        {outcomes.map((branch) => (
          <span key={branch ?? ''} className="outcome">
            {branch}
            <Handle type="source" position={Position.Bottom} id={branch} isConnectable={canConnect} />
          </span>
        ))}
      </div>
    </div>
  );
}

const NODE_TYPES = { step: Step };

const ARROW = { type: MarkerType.ArrowClosed, width: 18, height: 18, color: 'var(--line-strong)' } as const;
const PASSED_ARROW = { ...ARROW, width: 12, height: 12, color: 'var(--accent)' } as const;

function edgesOf({ edges, nodes }: Graph, path: Marks['path']): Edge[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap(({ from, to, branch = null }) => {
    const source = known.get(from);
    // An outcome that the node has no more has no place to begin at.
    if (!source || !known.has(to) || !outcomesOf(source).includes(branch)) return [];
    const isPassed = path?.has(from) === true && path.has(to) && (path.get(from) ?? null) === branch;
    return [
      {
        id: JSON.stringify([from, branch, to]),
        ...{ source: from, target: to, sourceHandle: branch, markerEnd: ARROW },
        ...(isPassed && { className: 'passed', markerEnd: PASSED_ARROW }),
      },
    ];
  });
}

interface CanvasProps {
  /** Description for people who do not see it. */
  readonly label: string;
  readonly graph: Graph;
  readonly marks?: Marks;
  readonly selected?: string | null;
  readonly select?: (id: string) => void;
  /** Called after moving and connecting nodes, where that is possible. */
  readonly move?: (id: string, place: Place) => void;
  readonly connect?: (from: string, branch: string | null, to: string) => void;
}

const NO_MARKS: Marks = {};

/** State of a node in the drawing: its size, and its position while it is dragged. */
interface Drawn {
  readonly measured?: { readonly width: number; readonly height: number };
  readonly position?: Place;
}

function nodesOf(graph: Graph, marks: Marks, selected: string | null, canConnect: boolean, drawn: ReadonlyMap<string, Drawn>): FlowNode[] {
  const places = placesOf(graph);
  return graph.nodes.map((node) => {
    const { measured, position } = drawn.get(node.id) ?? {};
    return {
      id: node.id,
      type: 'step',
      position: position ?? places.get(node.id) ?? { x: 0, y: 0 },
      selected: node.id === selected,
      ariaLabel: `${typeWords(node.type)}: ${titleOf(node)}`,
      data: {
        ...{ node, canConnect, note: marks.notes?.get(node.id), faults: marks.faults?.get(node.id) ?? [] },
        isPassed: marks.path?.has(node.id) === true,
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

/** Draws a graph. Everything that can be done in it can also be done next to it, with the keyboard or a screen reader. */
export function Canvas({ label, graph, marks = NO_MARKS, selected = null, select, move, connect }: CanvasProps): ReactNode {
  const canConnect = connect !== undefined;
  const [drawn, setDrawn] = useState<ReadonlyMap<string, Drawn>>(() => new Map());
  const nodes = useMemo(() => nodesOf(graph, marks, selected, canConnect, drawn), [graph, marks, selected, canConnect, drawn]);
  const edges = useMemo(() => edgesOf(graph, marks.path), [graph, marks.path]);
  const changed = (changes: NodeChange<FlowNode>[]): void => {
    for (const change of changes) if (change.type === 'select' && change.selected) select?.(change.id);
    setDrawn((before) => changes.reduce(withChange, before));
  };
  const joined = ({ source, sourceHandle, target }: Connection): void => connect?.(source, sourceHandle, target);
  return (
    <section className="canvas" aria-label={label}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodesChange={changed}
        onConnect={joined}
        onNodeDragStop={(_event, { id, position }) => move?.(id, { x: Math.round(position.x), y: Math.round(position.y) })}
        nodesDraggable={move !== undefined}
        nodesConnectable={canConnect}
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
