import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { When } from '../../parts/dates.tsx';
import { skippedWords } from '../../parts/reasons.ts';
import type { Graph } from './graph/model.ts';
import { useTitles } from './graph/titles.ts';

/** A step of an execution, or of a rehearsal. */
interface WalkedStep {
  readonly nodeId: string;
  readonly type: string;
  readonly startedAt: string;
  readonly branch: string | null;
  readonly output: unknown;
  readonly error: string | null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Shows why a step came out as it did, as far as it is known. */
function Outcome({ step: { type, branch, output, error } }: { readonly step: WalkedStep }): ReactNode {
  const left = isObject(output) ? output : {};
  const emailId = type === 'send_email' && typeof left['emailId'] === 'string' ? left['emailId'] : null;
  const words = Object.entries(left).filter(([name]) => name !== 'emailId');
  return (
    <>
      {branch !== null && <span className="hint"> → {branch}</span>}
      {emailId !== null && (
        <>
          {' '}
          <Link to={`/mail/${emailId}`}>View message</Link>
        </>
      )}
      {words.map(([name, value]) => (
        <div key={name} className="detail">
          {name === 'skipped' && typeof value === 'string' ? `Not sent: ${skippedWords(value)}` : `${name}: ${textOf(value)}`}
        </div>
      ))}
      {error !== null && <div className="fault">{error}</div>}
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface Props {
  readonly graph: Graph;
  readonly steps: readonly WalkedStep[];
}

/** Shows the steps that were taken, each with its outcome. No node is entered twice. */
export function StepList({ graph, steps }: Props): ReactNode {
  const { labelOf } = useTitles();
  const known = new Map(graph.nodes.map((node) => [node.id, node]));
  return (
    <ol className="timeline">
      {steps.map((step) => {
        const node = known.get(step.nodeId);
        return (
          <li key={step.nodeId}>
            <When at={step.startedAt} />
            <div>
              <strong>{node ? labelOf(node) : step.nodeId}</strong>
              <Outcome step={step} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}
