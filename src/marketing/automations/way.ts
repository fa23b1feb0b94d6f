import type { LeftNode } from '../../contracts/automation';
import type { Execution, Step } from './execution-model';

/** Returns the nodes that an execution has left, in order, without the first `known` ones. */
export const wayOf = (execution: Execution | null, known = 0): readonly LeftNode[] =>
  (execution?.steps ?? []).filter(hasEnded).slice(known).map(leftNode);

type Ended = Step & { readonly finishedAt: Date };

const hasEnded = (step: Step): step is Ended => step.finishedAt !== null;

const leftNode = ({ nodeId, type, finishedAt, branch, status, output }: Ended): LeftNode => ({
  nodeId,
  type,
  at: finishedAt.getTime(),
  ...(branch !== null && { branch }),
  ...(status !== 'completed' && { status }),
  ...(typeof output?.['emailId'] === 'string' && { emailId: output['emailId'] }),
});
