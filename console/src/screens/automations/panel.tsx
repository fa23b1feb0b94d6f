import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Fault } from '../../parts/conditions/editor.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { Card } from '../../parts/page.tsx';
import { ICONS, kindOf } from './graph/icons.ts';
import { TYPES, connected, nextOf, outcomesOf, typeWords, withChanged } from './graph/model.ts';
import type { Graph, GraphNode, NodeType } from './graph/model.ts';
import { useTitles } from './graph/titles.ts';
import { ConfigForm } from './nodes/config-form.tsx';

interface PanelProps {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly faults: readonly Fault[];
  /** Findings that do not keep it from running. */
  readonly warnings: readonly Fault[];
  /** Changes the graph; the key is of what is changed, by which letters typed one after the other are one change. */
  readonly change: (graph: Graph, key: string) => void;
  readonly remove: () => void;
  readonly duplicate: () => void;
  readonly select: (id: string | null) => void;
}

/** Lists the target of each outcome of a node: connections that can be dragged can be chosen here as well. */
function Connections({ graph, node, change }: Pick<PanelProps, 'graph' | 'node' | 'change'>): ReactNode {
  const { labelOf } = useTitles();
  const targets = graph.nodes.filter(({ id, type }) => id !== node.id && type !== 'trigger');
  return outcomesOf(node).map((branch) => (
    <ChoiceField
      key={branch ?? ''}
      label={branch === null ? 'Next step' : `Next step on “${branch}”`}
      value={nextOf(graph, node.id, branch)}
      options={[['', 'None: end here'], ...targets.map((target) => [target.id, labelOf(target)] as const)]}
      change={(to) => change(connected(graph, node.id, branch, to), `${node.id} to ${branch ?? ''}`)}
    />
  ));
}

/** Configures one node, and says where it leads. */
export function NodePanel({ graph, node, faults, warnings, change, remove, duplicate, select }: PanelProps): ReactNode {
  const { labelOf } = useTitles();
  const at = `graph.nodes.${graph.nodes.findIndex(({ id }) => id === node.id)}`;
  const sends = graph.nodes.filter(({ type }) => type === 'send_email').map((send) => [send.id, labelOf(send)] as const);
  const put = (changed: GraphNode): void => change(withChanged(graph, changed), node.id);
  const rename = (name: string): void => {
    const { name: _old, ...unnamed } = node;
    put(name === '' ? unnamed : { ...unnamed, name });
  };
  return (
    <Card
      title={typeWords(node.type)}
      actions={
        <button type="button" className="quiet" onClick={() => select(null)}>
          All steps
        </button>
      }
    >
      <fieldset key={node.id}>
        <legend className="unseen">{labelOf(node)}</legend>
        <div role="status">
          {faults.map(({ path, message }) => (
            <p key={path + message} className="fault">
              {message}
            </p>
          ))}
          {warnings.map(({ message }) => (
            <p key={message} className="notice">
              {message}
            </p>
          ))}
        </div>
        <TextField label="Step name" value={node.name ?? ''} change={rename} />
        <ConfigForm node={node} at={`${at}.config`} faults={faults} sends={sends} change={put} />
        <Connections graph={graph} node={node} change={change} />
        {node.type !== 'trigger' && (
          <div className="actions">
            <button type="button" onClick={duplicate}>
              Duplicate step
            </button>
            <button type="button" className="danger" aria-keyshortcuts="Delete" onClick={remove}>
              Remove step
            </button>
          </div>
        )}
      </fieldset>
    </Card>
  );
}

const ADDABLE = TYPES.filter(([type]) => type !== 'trigger');

interface AddProps {
  /** The step behind which it is put; null while none is chosen. */
  readonly after: GraphNode | null;
  readonly add: (type: NodeType) => void;
}

/** Adds a node of any type. */
export function AddNode({ after, add }: AddProps): ReactNode {
  const { labelOf } = useTitles();
  const [type, setType] = useState<NodeType>('send_email');
  return (
    <div className="add-step">
      <ChoiceField
        label={after ? `Step after ${labelOf(after)}` : 'Step at the end'}
        value={type}
        options={ADDABLE}
        change={(chosen) => setType(chosen as NodeType)}
      />
      <button type="button" onClick={() => add(type)}>
        Add step
      </button>
    </div>
  );
}

/** Shows every type of step, as buttons. */
export const StepTypes = ({ choose }: { readonly choose: (type: NodeType) => void }): ReactNode => (
  <ul className="step-types">
    {ADDABLE.map(([type, words]) => {
      const Icon = ICONS[type];
      return (
        <li key={type}>
          <button type="button" className={`step-type-choice ${kindOf(type)}`} onClick={() => choose(type)}>
            <Icon aria-hidden="true" size={18} />
            {words}
          </button>
        </li>
      );
    })}
  </ul>
);

interface StepsProps {
  readonly graph: Graph;
  readonly faults: ReadonlyMap<string, readonly Fault[]>;
  readonly select: (id: string) => void;
}

/** Shows every node, to be chosen by keyboard, with how many faults are at it. */
export function StepChoice({ graph, faults, select }: StepsProps): ReactNode {
  const { labelOf } = useTitles();
  return (
    <Card title="Steps">
      <ul className="step-choice">
        {graph.nodes.map((node) => {
          const number = faults.get(node.id)?.length ?? 0;
          return (
            <li key={node.id}>
              <button type="button" className="quiet" onClick={() => select(node.id)}>
                {labelOf(node)}
              </button>
              {number > 0 && <span className="fault">{number === 1 ? '1 error' : `${number} errors`}</span>}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
