import { repeatedNames, fault } from '../fault';
import type { GraphFault } from '../fault';
import type { StoredTree } from '../graph';
import type { Act, ActingNode, Configured } from '../node';
import { worldOf } from '../stage';
import { treeFaults } from '../trees';

export interface SwitchConfig {
  readonly field: string;
  /** The node whose message is asked about, where the field is `email.<status>`. */
  readonly nodeId?: string | undefined;
  readonly cases: readonly SwitchCase[];
}

interface SwitchCase {
  readonly branch: string;
  readonly operator: string;
  readonly value?: unknown;
}

interface Kept {
  readonly cases: readonly { readonly branch: string }[];
}

/** The branch when no case matches. */
const DEFAULT_BRANCH = 'default';

/** Takes the first case that holds. */
export const switchNode: ActingNode<SwitchConfig, Act<'askSwitch'>, Kept> = {
  branches: ({ cases }) => [...cases.map(({ branch }) => branch), DEFAULT_BRANCH],
  branchFaults: ({ cases }, path) => repeatedNames(cases, `${path}.cases`, [DEFAULT_BRANCH]),
  configFaults: caseFaults,
  fieldsAsked: ({ field }, path) => [{ field, path: `${path}.field` }],
  nodesAsked: ({ nodeId }, path) => (nodeId === undefined ? [] : [{ nodeId, path: `${path}.nodeId` }]),
  rendered: ({ cases }) => ({ cases: cases.map(({ value }) => ({ value })) }),
  outline: ({ cases }) => ({ cases: cases.map(({ branch }) => ({ branch })) }),
  effect: ({ id }) => ({ kind: 'askSwitch', nodeId: id }),
  outcome: (node, _state, input) => (input.kind === 'switched' ? { branch: branchOfCase(node, input.index) } : null),
  async rehearse(stage, { config }) {
    for (const [index, tree] of caseTrees(config).entries()) {
      if (await stage.ports.holds(tree, worldOf(stage))) return { kind: 'switched', index };
    }
    return { kind: 'switched', index: null };
  },
  async act(host, config) {
    const index = (await host.holds(caseTrees(config))).indexOf(true);
    return { kind: 'switched', index: index === -1 ? null : index };
  },
};

function branchOfCase({ id, config }: Configured<Kept>, index: number | null): string {
  if (index === null) return DEFAULT_BRANCH;
  const chosen = config.cases[index];
  if (!chosen) throw new Error(`The switch ${id} has no case ${index}`);
  return chosen.branch;
}

/** Returns the conditions of the cases, in order. */
const caseTrees = ({ field, nodeId, cases }: SwitchConfig): readonly StoredTree[] =>
  cases.map(({ operator, value }) => ({
    logic: 'and',
    groups: [{ filters: [{ field, operator, ...(value !== undefined && { value }), ...(nodeId !== undefined && { nodeId }) }] }],
  }));

/**
 * Checks a case like the filter that it abbreviates; a fault of the field or the node, which all cases share, is named once. An operator that needs
 * more than a value (a unit of time) is wrong here.
 */
function caseFaults(config: SwitchConfig, path: string): readonly GraphFault[] {
  const filter = `${path}.groups.0.filters.0.`;
  const faults = caseTrees(config).flatMap((tree, index) =>
    treeFaults(tree, path).map(({ path: at, message }) => {
      const part = at.slice(filter.length);
      if (part === 'field' || part === 'nodeId') return fault(`${path}.${part}`, message);
      return fault(`${path}.cases.${index}.${part === 'value' ? 'value' : 'operator'}`, message);
    }),
  );
  return [...new Map(faults.map((one) => [one.path, one])).values()];
}
