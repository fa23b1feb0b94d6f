import { setTimeout as wait } from 'node:timers/promises';
import { wakeFanOutThrough } from '../../../../src/composition/compose';
import type { Consumer } from '../../../../src/records/fan-out/host';
import { aProject } from '../../../support/platform/app';
import { listen } from '../../../support/platform/fan-out';
import { contactsOf, fanOutRuns, recording } from '../../../support/platform/fan-out-runs';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const lines: string[] = [];

const app = aProject({ log: (line) => lines.push(line) });
beforeAll(async () => {
  wakeFanOutThrough(app.core);
  await listen(app.keys.projectId, '*');
});
beforeEach(() => runs.reset());

const runs = fanOutRuns(() => app);
const { eventOf, emitEvents, waiting, pump, host } = runs;
const row = (id: string | undefined) => stored.events.one(id);

describe('a consumer that throws', () => {
  test('holds the later events of its contact for a few tries, and no other contact’s', async () => {
    const [failing = '', other = ''] = contactsOf(0, 2);
    let failures = 0;
    const before = recording();
    const consumer = recording(async ({ contactId, data }) => {
      if (contactId === failing && data?.['n'] === 1 && failures < 3) {
        failures++;
        throw new Error('not now');
      }
    });
    await emitEvents(...[0, 1, 2, 3].flatMap((n) => [eventOf(failing, n), eventOf(other, n)]));
    await pump([before, consumer]);
    expect(consumer.heard.filter(({ contactId }) => contactId === failing).map(({ n }) => n)).toEqual([0, 1, 2, 3]);
    expect(consumer.heard.slice(0, 5).map(({ contactId }) => contactId)).toEqual([failing, other, other, other, other]);
    // Those who had it do not get it again.
    expect(before.heard).toHaveLength(8);
    expect(await waiting()).toBe(0);
  });

  test('for good: the event steps aside, the later ones go on, and it comes again at its time', async () => {
    const [contactId = ''] = contactsOf(0, 1);
    let broken = true;
    const consumer = recording(async ({ data }) => {
      if (broken && data?.['n'] === 1) throw new Error(`secret of someone@example.com`);
    });
    const [, id] = await emitEvents(eventOf(contactId, 0), eventOf(contactId, 1), eventOf(contactId, 2));
    const began = Date.now();
    await pump([consumer]);
    expect(consumer.heard.map(({ n }) => n)).toEqual([0, 2]);
    const aside = await row(id);
    expect(aside).toMatchObject({ fanOut: 0, fanOutTries: 1 });
    expect(aside?.fanOutAt?.getTime()).toBeGreaterThan(began + 10_000);
    expect((await pump([consumer])).handled).toBe(0);
    broken = false;
    await stored.events.change(id ?? '', { fanOutAt: new Date() });
    expect((await pump([consumer])).handled).toBe(1);
    expect(consumer.heard.map(({ n }) => n)).toEqual([0, 2, 1]);
    expect(await waiting()).toBe(0);
  });

  test('for a day: the event is dropped, and the log says so', async () => {
    const [contactId = ''] = contactsOf(0, 1);
    const [id] = await emitEvents(eventOf(contactId, 0));
    await stored.events.change(id ?? '', { receivedAt: new Date(Date.now() - 24 * 3_600_000), fanOutTries: 30 });
    lines.length = 0;
    const consumer: Consumer = { name: 'broken', handle: () => Promise.reject(new Error('no')) };
    await pump([consumer]);
    expect(await waiting()).toBe(0);
    const logged = lines.map((line) => JSON.parse(line) as { level: number; eventId?: string });
    expect(logged.filter(({ level }) => level >= 50)).toEqual([expect.objectContaining({ eventId: id, name: 'thing.done' })]);
  });

  test('for every event at once keeps none of them from being tried', async () => {
    const contacts = contactsOf(0, 200);
    const tried = new Set<string>();
    const consumer: Consumer = {
      name: 'broken',
      handle: async (_core, { _id }) => {
        tried.add(_id);
        throw new Error('no');
      },
    };
    await emitEvents(...contacts.map((contactId, n) => eventOf(contactId, n)));
    const stop = new AbortController();
    const run = pump([consumer], 0, stop.signal);
    await eventually('all were tried', () => tried.size === 200);
    stop.abort();
    await run;
    expect(await waiting()).toBe(200);
  });
});

describe('runs that are cut', () => {
  test('a stopped one finishes what it has begun, notes it, and says that there may be more', async () => {
    const contacts = contactsOf(0, 100);
    await emitEvents(...contacts.flatMap((contactId) => [eventOf(contactId, 0), eventOf(contactId, 1)]));
    const consumer = recording(() => wait(100));
    const running = host([consumer]);
    const run = running.pump({ shard: 0, signal: new AbortController().signal, beat: () => undefined });
    await eventually('it has begun', () => consumer.heard.length >= 10);
    await running.stop();
    expect((await run).more).toBe(true);
    expect(consumer.heard.length).toBeLessThan(200);
    expect(await waiting()).toBe(200 - consumer.heard.length);
    await pump([consumer]);
    expect(consumer.heard).toHaveLength(200);
    expect(new Set(consumer.heard.map(({ id }) => id)).size).toBe(200);
  });

  test('two at once hand everything on, each in order, and bring back nothing that is done', async () => {
    const contacts = contactsOf(0, 20);
    await emitEvents(...contacts.flatMap((contactId) => [0, 1, 2, 3, 4].map((n) => eventOf(contactId, n))));
    const [one, two] = [recording(() => wait(3)), recording(() => wait(1))];
    await Promise.all([pump([one]), pump([two])]);
    expect(new Set([...one.heard, ...two.heard].map(({ id }) => id)).size).toBe(100);
    for (const { heard } of [one, two]) {
      for (const contactId of contacts) {
        const mine = heard.filter((each) => each.contactId === contactId).map(({ n }) => n as number);
        expect(mine).toEqual([...mine].sort((a, b) => a - b));
      }
    }
    expect(await waiting()).toBe(0);
  });
});
