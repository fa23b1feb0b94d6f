import type { FanOutResult } from '../../../src/contracts/fan-out';
import { fanOutShardOf } from '../../../src/contracts/fan-out';
import { emit } from '../../../src/records/events/emit';
import type { NewEvent } from '../../../src/records/events/emit';
import { EventModel } from '../../../src/records/events/model';
import type { Event } from '../../../src/records/events/model';
import type { Consumer } from '../../../src/records/fan-out/host';
import { FanOutHost } from '../../../src/records/fan-out/host';
import { FAN_OUT_TIMES } from '../../../src/records/fan-out/run';
import { inTransaction } from '../../../src/platform/mongo/transaction';
import { WakeModel, WakeWatch } from '../../../src/platform/wake-ups';
import type { TestApp } from './app';

/** Contacts of one shard. */
export function contactsOf(shard: number, count: number): string[] {
  const found: string[] = [];
  for (let n = 0; found.length < count; n++) if (fanOutShardOf(`ctc_${n}`, '') === shard) found.push(`ctc_${n}`);
  return found;
}

interface Heard {
  readonly id: string;
  readonly contactId: string | null;
  readonly n: unknown;
}

/** A consumer that notes what it has taken; `work` may take its time or throw. */
export function recording(
  work: (event: Event, version: number) => Promise<unknown> = async () => undefined,
): Consumer & { readonly heard: Heard[] } {
  const heard: Heard[] = [];
  return {
    name: 'recording',
    heard,
    handle: async (_core, event, version) => {
      await work(event, version);
      heard.push({ id: event._id, contactId: event.contactId, n: event.data?.['n'] });
    },
  };
}

/** Events of the project under test, and runs of the pump that hand them on. */
export function fanOutRuns(app: () => TestApp) {
  const eventOf = (contactId: string | null, n: number, more: Partial<NewEvent> = {}): NewEvent => ({
    projectId: app().keys.projectId,
    name: 'thing.done',
    contactId,
    data: { n },
    testMode: false,
    at: new Date(),
    ...more,
  });
  const host = (consumers: readonly Consumer[], lingerMs = 30): FanOutHost =>
    new FanOutHost(app().core, new WakeWatch(), consumers, { ...FAN_OUT_TIMES, lingerMs });
  return {
    eventOf,
    emitEvents: (...events: readonly NewEvent[]): Promise<readonly string[]> => inTransaction((session) => emit(session, events)),
    waiting: (): Promise<number> => EventModel.countDocuments({ fanOut: { $exists: true } }),
    host,
    /** One run of a shard's pump, to its end. */
    pump: (consumers: readonly Consumer[], shard = 0, signal = new AbortController().signal): Promise<FanOutResult> =>
      host(consumers).pump({ shard, signal, beat: () => undefined }),
    /** No event waits and no pump is awake. */
    reset: async (): Promise<void> => {
      await EventModel.updateMany({}, { $unset: { fanOut: '', fanOutAt: '' } });
      await WakeModel.deleteMany({});
      app().processes.wakeFanOut.mockClear();
    },
  };
}
