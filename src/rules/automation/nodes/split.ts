import { repeatedNames } from '../branch-names';
import { fault } from '../fault';
import type { GraphFault } from '../fault';
import type { PassingNode } from '../node';
import { chooseBranch } from '../split';

export interface SplitConfig {
  readonly branches: readonly WeightedBranch[];
}

interface WeightedBranch {
  readonly branch: string;
  readonly weight: number;
}

/** Shares executions out by weight. */
export const split: PassingNode<SplitConfig, SplitConfig> = {
  branches: ({ branches }) => branches.map(({ branch }) => branch),
  branchFaults: (config, path) => [...repeatedNames(config.branches, `${path}.branches`), ...weightFaults(config, path)],
  outline: (config) => config,
  pass: ({ id, config }, executionId) => ({ branch: chooseBranch(executionId, id, config.branches) }),
};

function weightFaults({ branches }: SplitConfig, path: string): readonly GraphFault[] {
  const wrong = branches.flatMap(({ weight }, index) =>
    weight > 0 ? [] : [fault(`${path}.branches.${index}.weight`, 'Must be greater than zero')],
  );
  const sum = branches.reduce((total, { weight }) => total + weight, 0);
  return Number.isFinite(sum) ? wrong : [...wrong, fault(`${path}.branches`, 'The weights are too large')];
}
