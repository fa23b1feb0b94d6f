import { sameJson } from '../same-json';

/**
 * Returns whether an event's data fits the filter of a `wait_for_event`: at every dotted path lies that value. Values are compared within their JSON
 * type and texts with regard to case; of a list, one element is enough (docs/automations.md, Waiting for an event).
 */
export function eventMatches(
  filter: Readonly<Record<string, unknown>> | undefined,
  data: Readonly<Record<string, unknown>> | null | undefined,
): boolean {
  return Object.entries(filter ?? {}).every(([path, wanted]) => reached(data, path).some((value) => sameJson(value, wanted)));
}

/** No body nests deeper (docs/errors.md, Limits on text). */
const DEEPEST = 64;

/**
 * Returns all values that a path leads to: a list counts as itself and as each of its elements, and a step into it goes into each element. Every value is gone
 * through once for each step, by however many ways it is reached: in lists of lists those are more than there is time for.
 */
function reached(data: unknown, path: string): readonly unknown[] {
  const steps = path.split('.', DEEPEST + 1);
  let values: ReadonlySet<unknown> = new Set(steps.length > DEEPEST ? [] : [data]);
  for (const step of steps) values = new Set([...values].flatMap((value) => into(value, step)));
  return [...values].flatMap((value) => (Array.isArray(value) ? [value, ...(value as unknown[])] : [value]));
}

function into(value: unknown, step: string): readonly unknown[] {
  if (!Array.isArray(value)) return memberOf(value, step);
  const elements = value as readonly unknown[];
  const chosen = /^\d{1,6}$/.test(step) ? elements.slice(Number(step), Number(step) + 1) : [];
  return [...chosen, ...elements.flatMap((element) => (Array.isArray(element) ? [] : memberOf(element, step)))];
}

const memberOf = (value: unknown, step: string): readonly unknown[] =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? [(value as Readonly<Record<string, unknown>>)[step]] : [];
