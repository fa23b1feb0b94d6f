import type { StoredTree } from '../graph';
import type { PassingNode } from '../node';
import { fieldsIn, nodesIn, treeFaults, valuesIn } from '../trees';

export interface TriggerConfig {
  readonly filter?: StoredTree | undefined;
}

/** The start of every execution. */
export const trigger: PassingNode<TriggerConfig> = {
  configFaults: ({ filter }, path) => (filter ? treeFaults(filter, `${path}.filter`) : []),
  fieldsAsked: ({ filter }, path) => (filter ? fieldsIn(filter, `${path}.filter`) : []),
  nodesAsked: ({ filter }, path) => (filter ? nodesIn(filter, `${path}.filter`) : []),
  rendered: ({ filter }) => ({ filter: filter && valuesIn(filter) }),
  pass: () => ({}),
};

export interface ExitConfig {
  readonly reason?: string | undefined;
}

/** Ends the execution as `exited`. */
export const exit: PassingNode<ExitConfig, ExitConfig> = {
  outline: (config) => config,
  pass: ({ config }) => ({ exit: config.reason ?? null }),
};
