import type { PassingNode } from '../node';

export interface ExitConfig {
  readonly reason?: string | undefined;
}

/** Ends the execution as `exited`. */
export const exit: PassingNode<ExitConfig, ExitConfig> = {
  outline: (config) => config,
  pass: ({ config }) => ({ exit: config.reason ?? null }),
};
