import type { ErrorDetail } from '../../src/errors';
import { conditionFaults } from '../../src/segments/references';
import { ConditionTree } from '../http/conditions';

/** What is wrong with the conditions in a member of a body as it came, beyond their shape. */
export function conditionFaultsIn(body: unknown, member: string): readonly ErrorDetail[] {
  const { success, data } = ConditionTree.safeParse((body as Readonly<Record<string, unknown>> | null)?.[member]);
  return success ? conditionFaults(data, member) : [];
}
