import type { WaitConfig } from './nodes/wait-for-event';
import type { RehearsedEmail, RehearsedEvent } from './rehearsal';

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
