import type { Context } from '../../platform/core';
import { conditionsIn } from '../../rules/conditions/inventory';
import { parseConditions } from '../../rules/conditions/parse';
import type { Condition, ValueTest } from '../../rules/conditions/types';
import { listFields } from '../contacts';

const KINDS: Readonly<Record<string, string>> = { string: 'a text', date: 'a date', number: 'a number', boolean: 'true or false' };
const TEXTS = ['string', 'date'];

/** Returns the types of values that can pass a test; null where any can. */
function typesThatPass(test: ValueTest): readonly string[] | null {
  switch (test.is) {
    case 'text':
      return TEXTS;
    case 'number':
      return ['number'];
    case 'during':
    case 'age':
      return ['date'];
    case 'equal':
      return [...new Set(test.values.flatMap((value) => (typeof value === 'string' ? TEXTS : [typeof value])))];
    default:
      return null;
  }
}

const dataTests = (conditions: readonly Condition[]): readonly { readonly field: string; readonly types: readonly string[] }[] =>
  conditions.flatMap((condition) => {
    if (condition.on !== 'value' || condition.target.in !== 'data' || condition.target.path.length > 1) return [];
    const [field = '', types] = [condition.target.path[0], typesThatPass(condition.test)];
    return types ? [{ field, types }] : [];
  });

/** Resolves to a sentence for each filter on a custom field that no stored value can pass, since all of them are of another type. */
export async function unmatchedTypes(ctx: Context, conditions: unknown): Promise<readonly string[]> {
  const parsed = parseConditions(conditions);
  const tests = 'ok' in parsed ? dataTests(conditionsIn(parsed.ok)) : [];
  if (tests.length === 0) return [];
  const stored = new Map((await listFields(ctx)).map(({ field, type }) => [field, type]));
  return tests.flatMap(({ field, types }) => {
    const kind = KINDS[stored.get(field) ?? ''];
    return kind === undefined || types.includes(stored.get(field) ?? '')
      ? []
      : [`Every stored value of data.${field} is ${kind}, so a condition on it matches nobody`];
  });
}
