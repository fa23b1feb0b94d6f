import { Handle, Position } from '@xyflow/react';
import type { Node, NodeProps } from '@xyflow/react';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { ICONS, kindOf } from './icons.ts';
import { outcomesOf, typeWords } from './model.ts';
import type { GraphNode, Outcome } from './model.ts';

interface Shown extends Record<string, unknown> {
  readonly node: GraphNode;
  readonly title: string;
  /** Its type and title. */
  readonly label: string;
  readonly note: string | undefined;
  readonly faults: readonly { readonly message: string }[];
  readonly isPassed: boolean;
  readonly canConnect: boolean;
  /** Outcomes that lead nowhere. */
  readonly open: readonly (string | null)[];
  /** Offers a step at an outcome, where the graph may be changed. */
  readonly add: ((at: Outcome) => void) | undefined;
}

export type FlowNode = Node<Shown, 'step'>;

interface AddProps {
  readonly label: string;
  readonly add: () => void;
}

/** Shows a button within the drawing. The press does not drag what is below it. */
export const AddButton = ({ label, add }: AddProps): ReactNode => (
  <button type="button" className="add-here nodrag nopan" aria-label={label} title={label} onClick={add}>
    <Plus aria-hidden="true" size={14} />
  </button>
);

/** Draws a node of a graph. */
export function Step({ data: { node, title, label, note, faults, isPassed, canConnect, open, add } }: NodeProps<FlowNode>): ReactNode {
  const Icon = ICONS[node.type];
  return (
    <div className={['step', kindOf(node.type), isPassed && 'passed', faults.length > 0 && 'faulty'].filter(Boolean).join(' ')}>
      {node.type !== 'trigger' && <Handle type="target" position={Position.Top} isConnectable={canConnect} />}
      <p className="step-type">
        <Icon aria-hidden="true" size={15} />
        {typeWords(node.type)}
      </p>
      {title !== '' && <p className="step-title">{title}</p>}
      {note !== undefined && <p className="step-note">{note}</p>}
      {faults.map(({ message }) => (
        <p key={message} className="fault">
          {message}
        </p>
      ))}
      <div className="outcomes">
        {outcomesOf(node).map((branch) => (
          <span key={branch ?? ''} className="outcome">
            {branch}
            <Handle type="source" position={Position.Bottom} id={branch} isConnectable={canConnect} />
            {add && open.includes(branch) && (
              <AddButton
                label={`Add after ${label}${branch === null ? '' : ` on “${branch}”`}`}
                add={() => add({ from: node.id, branch })}
              />
            )}
          </span>
        ))}
      </div>
    </div>
  );
}
