import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { edge, node, send } from '../test/support/automations';
import { insertPeople } from '../test/support/people';
import { freePort } from '../test/support/servers';
import { Ground, Measured, cpuSeconds } from './support/processes';
import { printTable } from './support/table';

const EXECUTIONS = Number(process.env['BENCH_EXECUTIONS'] ?? 10_000);
const REQUESTS_AT_ONCE = 50;
/** How long the platform is watched while nothing happens. */
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
  private constructor(
    private readonly ground: Ground,
    private readonly url: string,
    private readonly parts: { readonly api: Measured; readonly worker: Measured; readonly sink: Measured },
  ) {}

  static async start(): Promise<Bench> {
    const [sinkPort, port] = [await freePort(), await freePort()];
    const ground = await Ground.prepare({
      NODE_ENV: 'development',
      DEV_VERIFIED_DOMAINS: 'hello.test',
      SMTP_URL: `smtp://127.0.0.1:${sinkPort}`,
      PORT: String(port),
    });
    const url = `http://127.0.0.1:${port}`;
    const sink = await Measured.start('bench/sink.ts', [String(sinkPort)], {}, 'listening');
    const api = await Measured.start('api/main.ts', [], ground.env, `${url}/v1/health`);
    const worker = await Measured.start('worker/main.ts', [], { ...ground.env, LOG_LEVEL: 'info' }, 'Worker is ready');
    await insertPeople(ground.keys.projectId, EXECUTIONS);
    return new Bench(ground, url, { api, worker, sink });
  }

  async stop(): Promise<void> {
    const { api, worker, sink } = this.parts;
    await Promise.all([worker.stop(), api.stop(), sink.stop()]);
    await this.ground.clear();
  }

  async call(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.ground.keys.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { success, data, ...failure } = (await answer.json()) as { success: boolean; data: Record<string, unknown> };
    if (!success) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(failure)}`);
    return data;
  }

  /** One event of each contact. */
  async tellAll(name: string): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < EXECUTIONS) await this.call('POST', '/v1/events', { name, email: `user-${next++}@example.com` });
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  }

  /** Resolves when so many executions are as `filter` says. */
  async until(filter: object): Promise<void> {
    while ((await mongoose.connection.collection('automation_executions').countDocuments(filter)) < EXECUTIONS) {
      this.parts.worker.refuseIfEnded();
      await sleep(200);
    }
  }

  /** Processor seconds used so far. */
  cpu(): Cpu {
    const { api, worker } = this.parts;
    const { mongod, temporal } = this.ground;
    return { worker: worker.cpuSeconds(), api: api.cpuSeconds(), mongod: cpuSeconds(mongod.pid), Temporal: cpuSeconds(temporal.pid) };
  }

  memory(): { readonly now: number; readonly peak: number } {
    return this.parts.worker.memory();
  }

  /** Share of one core that each part takes while nothing happens, in per cent. */
  async idle(): Promise<readonly string[]> {
    const before = this.cpu();
    await sleep(IDLE_SECONDS * 1000);
    const after = this.cpu();
    return PARTS.map((part) => (((after[part] - before[part]) * 100) / IDLE_SECONDS).toFixed(1));
  }
}

/** Executions that wait, what they cost while they do, and how fast they go on when all are told at once. */
export async function run(): Promise<void> {
  const bench = await Bench.start();
  try {
    const { workflowId } = await bench.call('POST', '/v1/workflows', { name: 'Waits', trigger: 'event:begin', graph: GRAPH });
    await bench.call('PATCH', `/v1/workflows/${String(workflowId)}`, { status: 'active' });
    const rows: (string | number)[][] = [['nobody waits', '', '', ...(await bench.idle()), bench.memory().now]];
    const phase = async (what: string, event: string, reached: object): Promise<void> => {
      const [before, began] = [bench.cpu(), performance.now()];
      await bench.tellAll(event);
      await bench.until(reached);
      const [after, seconds] = [bench.cpu(), (performance.now() - began) / 1000];
      const shares = PARTS.map((part) => (((after[part] - before[part]) * 100) / seconds).toFixed(0));
      rows.push([what, seconds.toFixed(0), (EXECUTIONS / seconds).toFixed(0), ...shares, bench.memory().now]);
    };
    await phase('all are enrolled and come to the wait', 'begin', { waitingFor: { $type: 'object' } });
    await sleep(5_000);
    rows.push([`${EXECUTIONS} wait`, '', '', ...(await bench.idle()), bench.memory().now]);
    await phase('all are told at once, get their message, end', 'go', { finishedAt: { $type: 'date' } });
    printTable(
      `${EXECUTIONS} executions of one automation, one worker (peak ${bench.memory().peak} MiB)`,
      ['what', 'seconds', 'executions/s', ...PARTS.map((part) => `${part} %`), 'worker MiB'],
      rows,
    );
  } finally {
    await bench.stop();
  }
}
