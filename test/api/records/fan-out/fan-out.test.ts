import { setTimeout as wait } from 'node:timers/promises';
import { fanOutPumpId, fanOutShardOf } from '../../../../src/contracts/fan-out';
import { wakeFanOutThrough } from '../../../../src/composition/compose';
import { listeningOf } from '../../../../src/records/events/listeners';
import type { Consumer } from '../../../../src/records/fan-out/host';
import { wakeOverdueFanOut } from '../../../../src/records/fan-out/host';
import { WakeModel } from '../../../../src/platform/wake-ups';
import { aProject } from '../../../support/platform/app';
import { listen } from '../../../support/platform/fan-out';
import { contactsOf, fanOutRuns, recording } from '../../../support/platform/fan-out-runs';
import { eventually } from '../../../support/platform/platform';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject();

beforeAll(async () => {
  wakeFanOutThrough(app.core);
  await listen(app.keys.projectId, '*');
});
beforeEach(() => runs.reset());

const runs = fanOutRuns(() => app);
const { eventOf, emitEvents, waiting, pump, host } = runs;
const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe('a run', () => {
  test("delivers each contact's events in the order of their receipt, events of different contacts side by side", async () => {
    const contacts = contactsOf(0, 40);
    let active = 0;
    let most = 0;
    const busy = new Set<string>();
    const consumer = recording(async ({ contactId }) => {
      expect(busy).not.toContain(contactId);
      busy.add(contactId ?? '');
      most = Math.max(most, ++active);
      await wait(2);
      active--;
      busy.delete(contactId ?? '');
    });
    for (let n = 0; n < 25; n += 5) {
      await emitEvents(...contacts.flatMap((contactId) => [0, 1, 2, 3, 4].map((step) => eventOf(contactId, n + step))));
    }
    expect(await pump([consumer])).toEqual({ handled: 1_000, more: false });
    for (const contactId of contacts) {
      expect(consumer.heard.filter((each) => each.contactId === contactId).map(({ n }) => n)).toEqual(
        Array.from({ length: 25 }, (_, n) => n),
      );
    }
    expect(most).toBeGreaterThan(8);
    expect(most).toBeLessThanOrEqual(32);
    expect(await waiting()).toBe(0);
    const event = await stored.events.get({ contactId: contacts[0] ?? '' });
    expect(Object.keys(event)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^fanOut/)]));
  });

  test('takes more than it holds at once, of its shard alone', async () => {
    const contacts = contactsOf(0, 1_300);
    const [stranger] = contactsOf(1, 1);
    await emitEvents(...contacts.map((contactId, n) => eventOf(contactId, n)), eventOf(stranger ?? '', 0));
    const consumer = recording();
    expect((await pump([consumer])).handled).toBe(1_300);
    expect(new Set(consumer.heard.map(({ id }) => id)).size).toBe(1_300);
    expect(await waiting()).toBe(1);
    expect((await pump([consumer], 1)).handled).toBe(1);
  });

  test('asks the consumers in their order, with the version of the listeners', async () => {
    const [contactId = ''] = contactsOf(0, 1);
    const seen: string[] = [];
    const named = (name: string): Consumer => ({
      name,
      handle: async (core, event, version) => {
        expect(core).toBe(app.core);
        seen.push(`${name} ${String(event.data?.['n'])} ${version === (await listeningOf(app.keys.projectId)).version}`);
      },
    });
    await emitEvents(eventOf(contactId, 1), eventOf(contactId, 2));
    await pump([named('first'), named('second')]);
    expect(seen).toEqual(['first 1 true', 'second 1 true', 'first 2 true', 'second 2 true']);
  });

  test('delivers events without a contact in no order', async () => {
    const shard = fanOutShardOf(null, app.keys.projectId);
    let active = 0;
    const together = recording(async () => {
      active++;
      await eventually('all are there at once', () => active === 10);
    });
    await emitEvents(...Array.from({ length: 10 }, (_, n) => eventOf(null, n)));
    expect((await pump([together], shard)).handled).toBe(10);
  });

  test('leaves out opens and clicks by machines, and events without a listener', async () => {
    const [contactId = ''] = contactsOf(0, 1);
    await emitEvents(
      eventOf(contactId, 1, { name: 'email.opened', data: { machine: true } }),
      eventOf(contactId, 2, { projectId: app.otherKeys.projectId }),
      eventOf(contactId, 3, { name: 'email.opened', data: { first: true, n: 3 } }),
    );
    const consumer = recording();
    await pump([consumer]);
    expect(consumer.heard.map(({ n }) => n)).toEqual([3]);
  });

  test('gets an event at once while it is awake', async () => {
    const [contactId = ''] = contactsOf(0, 1);
    const consumer = recording();
    const stop = new AbortController();
    const run = host([consumer], 2_000).pump({ shard: 0, signal: stop.signal, beat: () => undefined });
    await eventually('it listens', async () => (await stored.wakes.one(fanOutPumpId(0)))?.listener);
    app.processes.wakeFanOut.mockClear();
    const [telling, took]: [number[], number[]] = [[], []];
    for (let n = 0; n < 15; n++) {
      const began = performance.now();
      await emitEvents(eventOf(contactId, n));
      const answered = performance.now();
      telling.push(answered - began);
      while (consumer.heard.length <= n && performance.now() - began < 5_000) await wait(1);
      took.push(performance.now() - answered);
    }
    stop.abort();
    await run;
    expect(consumer.heard).toHaveLength(15);
    // The time to store an event shows how busy the machine is.
    expect(medianOf(took)).toBeLessThan(Math.max(100, 10 * medianOf(telling)));
    expect(app.processes.wakeFanOut).not.toHaveBeenCalledWith(0);
  });

  test('ends when nothing has come for a while, and misses nothing that comes just then', async () => {
    const shards = Array.from({ length: 8 }, (_, shard) => shard);
    const hear = async (shard: number): Promise<boolean[]> => {
      const [contactId = ''] = contactsOf(shard, 1);
      const consumer = recording();
      const outcomes: boolean[] = [];
      for (let n = 0; n < 4; n++) {
        const before = app.processes.wakeFanOut.mock.calls.length;
        const run = pump([consumer], shard);
        await wait(450 + 25 * shard + Math.random() * 100);
        await emitEvents(eventOf(contactId, n));
        await run;
        const heard = (): boolean => consumer.heard.some((each) => each.n === n);
        const woken = (): boolean => app.processes.wakeFanOut.mock.calls.slice(before).some(([woke]) => woke === shard);
        await eventually('it is heard, or somebody is woken', () => heard() || woken());
        outcomes.push(heard());
      }
      await pump([consumer], shard);
      expect(consumer.heard.map(({ n }) => n)).toEqual([0, 1, 2, 3]);
      return outcomes;
    };
    const outcomes = (await Promise.all(shards.map(hear))).flat();
    expect(outcomes).toHaveLength(32);
  });
});

describe('the sweep', () => {
  test('wakes shards with forgotten events and no pump, and no others', async () => {
    const [[forgotten = ''], [fresh = ''], [looked = ''], [later = '']] = [
      contactsOf(2, 1),
      contactsOf(3, 1),
      contactsOf(4, 1),
      contactsOf(5, 1),
    ];
    const ids = await emitEvents(eventOf(forgotten, 0), eventOf(fresh, 0), eventOf(looked, 0), eventOf(later, 0));
    const at = (index: number, ms: number) => stored.events.change(ids[index] ?? '', { fanOutAt: new Date(Date.now() + ms) });
    await Promise.all([at(0, -4_000), at(1, 0), at(2, -4_000), at(3, 60_000)]);
    const woken = (): unknown[] => app.processes.wakeFanOut.mock.calls.map(([shard]) => shard as number);
    await eventually('the events themselves have woken', () => [2, 3, 4, 5].every((shard) => woken().includes(shard)));
    const somebody = { listeningUntil: new Date(Date.now() + 10_000), listener: 'somebody' };
    await WakeModel.updateOne({ _id: fanOutPumpId(4) }, { $set: somebody }, { upsert: true });
    app.processes.wakeFanOut.mockClear();
    expect(await wakeOverdueFanOut(app.core)).toBe(1);
    expect(app.processes.wakeFanOut.mock.calls).toEqual([[2]]);
  });

  test('and the pump read along the index of what waits, in order, without sorting', async () => {
    const contacts = contactsOf(0, 3);
    await emitEvents(...contacts.map((contactId) => eventOf(contactId, 0)));
    const plans = await queryPlans('events', async () => {
      await wakeOverdueFanOut(app.core);
      await pump([recording()]);
    });
    const finds = plans.filter(({ plan }) => plan.includes('fanOut'));
    expect(finds.length).toBeGreaterThanOrEqual(10);
    for (const { plan, sorted } of plans) {
      expect({ plan, sorted }).toEqual({
        plan: expect.stringMatching(/^((IXSCAN|DISTINCT_SCAN) { fanOut: 1, projectId: 1, fanOutAt: 1, _id: 1 }|IXSCAN { _id: 1 })$/),
        sorted: false,
      });
    }
  });
});
