import { parseConditions } from '../../../src/rules/conditions/parse';
import type { Tree } from '../../../src/rules/conditions/types';

/** A tree that is known to be right; `trigger.` fields included. */
export function parsed(raw: unknown): Tree {
  const result = parseConditions(raw, { allow: { trigger: true } });
  if (!('ok' in result)) throw new Error(JSON.stringify(result.faults));
  return result.ok;
}

/** A tree of one filter. */
export const only = (field: string, operator: string, value?: unknown, rest: object = {}): Tree =>
  parsed({ logic: 'and', groups: [{ filters: [{ field, operator, ...(value !== undefined && { value }), ...rest }] }] });
