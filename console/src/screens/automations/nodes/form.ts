import type { Config } from '../graph/model.ts';

export interface FormProps {
  readonly config: Config;
  readonly change: (config: Config) => void;
}

/** Returns a configuration with one member changed, or taken out where there is nothing to put. */
export function withMember(config: Config, member: string, value: unknown): Config {
  const { [member]: _old, ...others } = config;
  return value === undefined ? others : { ...others, [member]: value };
}

/** Returns a text that may be omitted. */
export const orNone = (text: string): string | undefined => (text === '' ? undefined : text);
