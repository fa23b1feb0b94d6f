import { sameJson } from '../same-json';
import type { WaitConfig } from './nodes/wait-for-event';
import type { RehearsedEmail, RehearsedEvent } from './rehearsal';

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
 * Returns all values that a path leads to: a list counts as itself and as each of its elements, and a name leads into each element. Every value is gone
 * through once for each name, by however many ways it is reached: in lists of lists those are more than there is time for.
 */
function reached(data: unknown, path: string): readonly unknown[] {
  const names = path.split('.', DEEPEST + 1);
  let values: ReadonlySet<unknown> = new Set(names.length > DEEPEST ? [] : [data]);
  for (const name of names) values = new Set([...values].flatMap((value) => into(value, name)));
  return [...values].flatMap((value) => (Array.isArray(value) ? [value, ...(value as unknown[])] : [value]));
}

function into(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) return memberOf(value, name);
  const elements = value as readonly unknown[];
  const chosen = /^\d{1,6}$/.test(name) ? elements.slice(Number(name), Number(name) + 1) : [];
  return [...chosen, ...elements.flatMap((element) => (Array.isArray(element) ? [] : memberOf(element, name)))];
}

const memberOf = (value: unknown, name: string): readonly unknown[] =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? [(value as Readonly<Record<string, unknown>>)[name]] : [];

type Data = Readonly<Record<string, unknown>>;

/** The events of its name for which a `wait_for_event` waits. */
interface Awaited {
  /** The node whose message the event is of; null where any will do. */
  readonly nodeId: string | null;
  /** The part that is compared with the event's data. */
  readonly filter: Data | undefined;
}

/** Reads the filter of a wait: of an event of a message, `nodeId` names the node that sends it. All else are paths of the event's data. */
export function awaitedBy({ event, filter }: WaitConfig): Awaited {
  if (!event.startsWith('email.') || filter?.['nodeId'] === undefined) return { nodeId: null, filter };
  const { nodeId, ...rest } = filter;
  return { nodeId: typeof nodeId === 'string' ? nodeId : '', filter: rest };
}

/** Returns the node whose message an event of a rehearsal is of: the one that its data names, or the one that sent the last message before it. */
export function senderOf({ data, at }: RehearsedEvent, emails: readonly RehearsedEmail[]): string | null {
  const sent = emails.filter((email) => email.skipped === undefined && email.at < at);
  const named = data['nodeId'];
  const found =
    named === undefined ? sent.toSorted((a, b) => a.at.getTime() - b.at.getTime()).at(-1) : sent.find(({ nodeId }) => nodeId === named);
  return found?.nodeId ?? null;
}
