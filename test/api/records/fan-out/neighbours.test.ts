import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { fanOutShardOf } from '../../../../src/contracts/fan-out';
import { wakeFanOutThrough } from '../../../../src/composition/compose';
import type { Event } from '../../../../src/records/events/model';
import { webhookDeliveries } from '../../../../src/sending/webhooks/event-deliveries';
import { aProject } from '../../../support/platform/app';
import { activate, always, chain, contact, drive, node } from '../../../support/calls/automations';
import { listen } from '../../../support/platform/fan-out';
import { contactsOf, fanOutRuns, recording } from '../../../support/platform/fan-out-runs';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

/** Events of a shard that are under way at the same time, at most. */
const AT_ONCE = 40;
/** Events of a process that are handed on at the same time, where several projects have some. */
const IN_HAND = 16;
const QUIET = 'prj_quiet';
/** Contacts of one shard; the last one is the quiet project's. */
const POOL = contactsOf(0, 601);
const OTHERS = POOL.slice(0, -1);

const lines: string[] = [];

const app = aProject({ log: (line) => lines.push(line) });
beforeAll(async () => {
  wakeFanOutThrough(app.core);
  await listen(QUIET, '*');
});
beforeEach(() => runs.reset());

const runs = fanOutRuns(() => app);
const { eventOf, emitEvents, waiting, host } = runs;

const emitQuiet = () => emitEvents(eventOf(POOL.at(-1) ?? '', 0, { projectId: QUIET }));

/** Hands events of shard 0 on until the quiet project's are. Resolves to the events of others that were begun before. */
async function begunBefore(consumers: Parameters<typeof host>[0]): Promise<readonly Event[]> {
  const begun: Event[] = [];
  const stop = new AbortController();
  const first = recording(async (event) => begun.push(event));
  const last = recording(async ({ projectId }) => {
    if (projectId === QUIET) stop.abort();
  });
  await host([first, ...consumers, last]).pump({ shard: 0, signal: stop.signal, beat: () => undefined });
  return begun.slice(
    0,
    begun.findIndex(({ projectId }) => projectId === QUIET),
  );
}

describe('an event of a quiet project', () => {
  test('passes hundreds of a project with webhooks for all of them and an automation that starts itself', async () => {
    const { projectId } = app.keys;
    for (let n = 0; n < 5; n++) {
      const hook = { url: `https://hooks.example.com/${n}`, events: ['*'] };
      await app.api().post('/v1/webhooks').send(hook).expect(201);
    }
    await activate(app, chain(node('again', 'emit_event', { name: 'thing.done' })), { ...always, trigger: 'event:thing.done' });
    const people: string[] = [];
    while (people.length < 4) people.push(...[await contact(app)].filter((id) => fanOutShardOf(id, '') === 0));
    await runs.reset();
    const executions: Promise<unknown>[] = [];
    app.processes.start.mockImplementation((intent: { input: { executionId: string } }) => {
      executions.push(drive(app.core, projectId, intent.input.executionId));
      return Promise.resolve();
    });
    const contacts = [...people, ...OTHERS.slice(0, 196)];
    await emitEvents(...Array.from({ length: 600 }, (_, n) => eventOf(contacts[n % 200] ?? '', n)));
    await emitQuiet();

    expect((await begunBefore([automationTriggers, webhookDeliveries])).length).toBeLessThan(AT_ONCE);
    await Promise.all(executions);
    expect(await stored.events.count({ projectId, name: 'thing.done', depth: 1 })).toBeGreaterThan(0);
    expect(await waiting()).toBeGreaterThan(450);
  });

  test('is delivered while events of another project, more than are taken in, hang', async () => {
    await emitEvents(...OTHERS.slice(0, 300).map((contactId, n) => eventOf(contactId, n)));
    let stuck = 0;
    let release = (): void => undefined;
    const quietIsDone = new Promise<void>((resolve) => (release = resolve));
    const hangs = recording(async ({ projectId }) => {
      if (projectId === QUIET) return release();
      if (++stuck === IN_HAND) await emitQuiet();
      return quietIsDone;
    });
    expect(await begunBefore([hangs])).toHaveLength(IN_HAND);
  });

  test('waits for one event of each of the others, of as many as there are', async () => {
    const others = Array.from({ length: 12 }, (_, n) => `prj_noisy${n}`);
    for (const [index, projectId] of others.entries()) {
      await listen(projectId, '*');
      await emitEvents(...OTHERS.slice(50 * index, 50 * (index + 1)).map((contactId, n) => eventOf(contactId, n, { projectId })));
    }
    await emitQuiet();
    expect((await begunBefore([])).length).toBeLessThanOrEqual(AT_ONCE + others.length);
  });
});

describe('what waits for long', () => {
  test('is in the log by project, the longest first, once in a while and without addresses', async () => {
    await listen(app.keys.projectId, '*');
    const elsewhere = contactsOf(1, 20);
    await emitEvents(
      ...OTHERS.slice(0, 300).map((contactId, n) => eventOf(contactId, n)),
      ...elsewhere.map((contactId, n) => eventOf(contactId, n)),
    );
    await emitQuiet();
    const ago = (ms: number) => ({ fanOutAt: new Date(Date.now() - ms) });
    await stored.events.changeAll({ fanOut: { $exists: true }, projectId: app.keys.projectId }, ago(60_000));
    await stored.events.changeAll({ fanOut: { $exists: true }, projectId: QUIET }, ago(3_600_000));
    lines.length = 0;
    const said = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => /wait/.test(String(msg)));
    const waits = recording(() => eventually('it is said', () => said().length >= 2));
    const pumps = host([waits]);
    const pump = (shard: number) => pumps.pump({ shard, signal: new AbortController().signal, beat: () => undefined });
    await pump(0);
    await pump(1);
    expect(said()).toEqual([
      expect.objectContaining({ level: 40, projectId: QUIET, waiting: 1, shards: [0], projects: 2 }),
      expect.objectContaining({ level: 40, projectId: app.keys.projectId, waiting: 300, shards: [0], projects: 2 }),
    ]);
    expect(said().map(({ oldestMs }) => Math.floor(Number(oldestMs) / 60_000))).toEqual([60, 1]);
    expect(lines.join('')).not.toContain('@');
  });
});
