import type { ErrorDetail } from '../../src/platform/core';
import { conditionFaults } from '../../src/audience/segments';
import { ConditionTree } from '../http/conditions';
import { detailsOf } from '../http/issues';

/** Returns what is wrong with the conditions in a member of a body as it came, beyond what their schema reports: no path has two faults. */
export function conditionFaultsIn(body: unknown, member: string): readonly ErrorDetail[] {
  const given = (body as Readonly<Record<string, unknown>> | null)?.[member];
  const shape = ConditionTree.safeParse(given);
  const reported = new Set(shape.success ? [] : detailsOf(shape.error, given).map(({ path }) => `${member}.${path}`));
  return conditionFaults(given, member).filter(({ path }) => !reported.has(path));
}
