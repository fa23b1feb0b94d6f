import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { edge, node, send } from '../test/support/calls/automations';
import { insertPeople } from '../test/support/data/people';
import { printAnatomy } from './support/anatomy';
import { BenchPlatform } from './support/platform';
import { cpuSeconds } from './support/processes';
import type { Measured } from './support/processes';
import { printTable } from './support/table';

const EXECUTIONS = Number(process.env['BENCH_EXECUTIONS'] ?? 10_000);
const REQUESTS_AT_ONCE = 50;
const LOOK_EVERY_MS = 250;
/** Time that the idle platform is watched. */
const IDLE_SECONDS = 20;

const PARTS = ['worker', 'api', 'mongod', 'Temporal'] as const;
type Cpu = Readonly<Record<(typeof PARTS)[number], number>>;

/** Waits for an event, sends a message, ends. */
const GRAPH = {
  nodes: [
    node('start', 'trigger'),
    node('wait', 'wait_for_event', { event: 'go', timeout: { amount: 30, unit: 'days' } }),
    send('mail'),
    node('end', 'exit', { reason: 'done' }),
  ],
  edges: [edge('start', 'wait'), edge('wait', 'mail', 'event'), edge('wait', 'end', 'timeout'), edge('mail', 'end')],
};

class Bench {
  private automationId = '';

  private constructor(
    private readonly platform: BenchPlatform,
    private readonly worker: Measured,
  ) {}

  static async start(): Promise<Bench> {
    const platform = await BenchPlatform.start();
    await insertPeople(platform.ground.keys.projectId, EXECUTIONS);
    return new Bench(platform, await platform.worker());
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.platform.stop();
  }

  /** Creates and activates the automation. */
  async activate(): Promise<void> {
    const { workflowId } = await this.platform.call('POST', '/v1/workflows', { name: 'Waits', trigger: 'event:begin', graph: GRAPH });
    this.automationId = String(workflowId);
    await this.platform.call('PATCH', `/v1/workflows/${this.automationId}`, { status: 'active' });
  }

  /** Prints what one execution consists of. */
  anatomy(): Promise<void> {
    return printAnatomy(this.platform);
  }

  /** Emits one event of each contact. */
  async emitAll(name: string): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < EXECUTIONS) await this.platform.call('POST', '/v1/events', { name, email: `user-${next++}@example.com` });
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  }

  /** Resolves when all executions match `reached`. Looks first for one that does not, from the newest on: a count reads all of them. */
  async until(reached: object): Promise<void> {
    const [executions, ours] = [mongoose.connection.collection('automation_executions'), { automationId: this.automationId }];
    const another = () => executions.findOne({ ...ours, $nor: [reached] }, { sort: { $natural: -1 }, projection: { _id: 1 } });
    while ((await another()) !== null || (await executions.countDocuments(ours)) < EXECUTIONS) {
      this.worker.refuseIfEnded();
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Reads the processor seconds used so far. */
  cpu(): Cpu {
    const {
      api,
      ground: { mongod, temporal },
    } = this.platform;
    return { worker: this.worker.cpuSeconds(), api: api.cpuSeconds(), mongod: cpuSeconds(mongod.pid), Temporal: cpuSeconds(temporal.pid) };
  }

  memory(): { readonly now: number; readonly peak: number } {
    return this.worker.memory();
  }

  /** Measures the share of one core that each part takes when idle, in per cent. */
  async idle(): Promise<readonly string[]> {
    const before = this.cpu();
    await sleep(IDLE_SECONDS * 1000);
    const after = this.cpu();
    return PARTS.map((part) => (((after[part] - before[part]) * 100) / IDLE_SECONDS).toFixed(1));
  }
}

/** Measures waiting executions: their cost while they wait, and how fast they continue when all get their event at once. */
export async function run(): Promise<void> {
  const bench = await Bench.start();
  try {
    await bench.anatomy();
    await bench.activate();
    const rows: (string | number)[][] = [['none waits', '', '', ...(await bench.idle()), bench.memory().now]];
    const phase = async (what: string, event: string, reached: object): Promise<void> => {
      const [before, began] = [bench.cpu(), performance.now()];
      await bench.emitAll(event);
      await bench.until(reached);
      const [after, seconds] = [bench.cpu(), (performance.now() - began) / 1000];
      const shares = PARTS.map((part) => (((after[part] - before[part]) * 100) / seconds).toFixed(0));
      rows.push([what, seconds.toFixed(0), (EXECUTIONS / seconds).toFixed(0), ...shares, bench.memory().now]);
    };
    await phase('all are enrolled and come to the wait', 'begin', { waitingFor: { $type: 'object' }, runId: { $type: 'string' } });
    await sleep(5_000);
    rows.push([`${EXECUTIONS} wait`, '', '', ...(await bench.idle()), bench.memory().now]);
    await phase('all get their event at once, then a message, and end', 'go', { finishedAt: { $type: 'date' } });
    printTable(
      `${EXECUTIONS} executions of one automation, one worker (peak ${bench.memory().peak} MiB)`,
      ['what', 'seconds', 'executions/s', ...PARTS.map((part) => `${part} %`), 'worker MiB'],
      rows,
    );
  } finally {
    await bench.stop();
  }
}
