import type { StoredTree } from '../graph';
import type { Act, ActingNode } from '../node';
import { worldOf } from '../stage';
import { fieldsIn, nodesIn, treeFaults, valuesIn } from '../trees';

export interface ConditionConfig {
  readonly conditions: StoredTree;
}

/** Asks about the contact as it is at that moment. */
export const condition: ActingNode<ConditionConfig, Act<'askCondition'>> = {
  branches: () => ['yes', 'no'],
  configFaults: ({ conditions }, path) => treeFaults(conditions, `${path}.conditions`),
  fieldsAsked: ({ conditions }, path) => fieldsIn(conditions, `${path}.conditions`),
  nodesAsked: ({ conditions }, path) => nodesIn(conditions, `${path}.conditions`),
  rendered: ({ conditions }) => ({ conditions: valuesIn(conditions) }),
  effect: ({ id }) => ({ kind: 'askCondition', nodeId: id }),
  outcome: (_node, _state, input) => (input.kind === 'answered' ? { branch: input.value ? 'yes' : 'no' } : null),
  rehearse: async (stage, { config }) => ({ kind: 'answered', value: await stage.ports.holds(config.conditions, worldOf(stage)) }),
  async act(host, { conditions }) {
    const [value = false] = await host.holds([conditions]);
    return { kind: 'answered', value };
  },
};
