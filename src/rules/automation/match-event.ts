import { sameJson } from '../same-json';

/**
 * Whether an event's data fits the filter of a `wait_for_event`: at every dotted path lies that value. Values are compared within their JSON
 * type and texts with regard to case; of a list, one element is enough (docs/automations.md, Waiting for an event).
 */
export function eventMatches(
  filter: Readonly<Record<string, unknown>> | undefined,
  data: Readonly<Record<string, unknown>> | null | undefined,
): boolean {
  return Object.entries(filter ?? {}).every(([path, wanted]) => reached(data, path.split('.')).some((value) => sameJson(value, wanted)));
}

/** All values that a path leads to: a list counts as itself and as each of its elements, and a step into it goes into each element. */
function reached(value: unknown, path: readonly string[]): readonly unknown[] {
  const [step, ...rest] = path;
  if (step === undefined) return Array.isArray(value) ? [value, ...(value as unknown[])] : [value];
  if (Array.isArray(value)) {
    const elements = value as readonly unknown[];
    const chosen = /^\d{1,6}$/.test(step) ? reached(elements[Number(step)], rest) : [];
    return [...chosen, ...elements.filter((element) => !Array.isArray(element)).flatMap((element) => reached(element, path))];
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return [];
  return reached((value as Readonly<Record<string, unknown>>)[step], rest);
}
