import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { edge, node, send } from '../test/support/calls/automations';
import { insertPeople } from '../test/support/data/people';
import { createProject } from '../src/records/projects';
import { printAnatomy } from './support/anatomy';
import { addVerifiedDomain } from './support/domain';
import { SENDER } from './support/message';
import { optionsOf, wholeNumber } from './support/options';
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
const graphFrom = (fromEmail: string) => ({
  nodes: [
    node('start', 'trigger'),
    node('wait', 'wait_for_event', { event: 'go', timeout: { amount: 30, unit: 'days' } }),
    send('mail', { fromEmail }),
    node('end', 'exit', { reason: 'done' }),
  ],
  edges: [edge('start', 'wait'), edge('wait', 'mail', 'event'), edge('wait', 'end', 'timeout'), edge('mail', 'end')],
});

/** Creates and activates the automation in a project, the first or another one, with this many contacts. */
async function enrollingProject(platform: BenchPlatform, n: number, contacts: number): Promise<Enrolling> {
  const { ground } = platform;
  const { projectId, secret: key } = n === 0 ? ground.keys : await createProject('Another');
  const from = n === 0 ? SENDER : `hello@project-${n}.test`;
  if (n > 0) await addVerifiedDomain(ground.env, projectId, `project-${n}.test`);
  await insertPeople(projectId, contacts);
  const { workflowId } = await platform.call(
    'POST',
    '/v1/workflows',
    { name: 'Waits', trigger: 'event:begin', graph: graphFrom(from) },
    key,
  );
  await platform.call('PATCH', `/v1/workflows/${String(workflowId)}`, { status: 'active' }, key);
  return { key, automationId: String(workflowId) };
}

/** A project that has the automation. */
interface Enrolling {
  readonly key: string;
  readonly automationId: string;
}

class Bench {
  private constructor(
    private readonly platform: BenchPlatform,
    private readonly workers: readonly Measured[],
    private readonly projects: readonly Enrolling[],
  ) {}

  /** Starts everything, with the contacts of the executions spread over the projects; the automation is active in each. */
  static async start(workers: number, projects: number): Promise<Bench> {
    const platform = await BenchPlatform.start();
    const enrolling: Enrolling[] = [];
    for (let n = 0; n < projects; n++) enrolling.push(await enrollingProject(platform, n, Math.ceil(EXECUTIONS / projects)));
    const started: Measured[] = [];
    for (let n = 0; n < workers; n++) started.push(await platform.worker());
    return new Bench(platform, started, enrolling);
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.platform.stop();
  }

  /** Prints what one execution consists of. */
  anatomy(): Promise<void> {
    return printAnatomy(this.platform);
  }

  /** Emits one event of each contact, of all projects in turns. */
  async emitAll(name: string): Promise<void> {
    const { projects } = this;
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < EXECUTIONS) {
        const n = next++;
        const { key } = projects[n % projects.length] as Enrolling;
        await this.platform.call('POST', '/v1/events', { name, email: `user-${Math.floor(n / projects.length)}@example.com` }, key);
      }
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  }

  /** Resolves when all executions match `reached`. Looks first for one that does not, from the newest on: a count reads all of them. */
  async until(reached: object): Promise<void> {
    const executions = mongoose.connection.collection('automation_executions');
    const ours = { automationId: { $in: this.projects.map(({ automationId }) => automationId) } };
    const another = () => executions.findOne({ ...ours, $nor: [reached] }, { sort: { $natural: -1 }, projection: { _id: 1 } });
    while ((await another()) !== null || (await executions.countDocuments(ours)) < EXECUTIONS) {
      for (const worker of this.workers) worker.refuseIfEnded();
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Reads the processor seconds used so far. */
  cpu(): Cpu {
    const {
      api,
      ground: { mongod, temporal },
    } = this.platform;
    const worker = this.workers.reduce((sum, each) => sum + each.cpuSeconds(), 0);
    return { worker, api: api.cpuSeconds(), mongod: cpuSeconds(mongod.pid), Temporal: cpuSeconds(temporal.pid) };
  }

  /** Reads what the largest worker holds. */
  memory(): { readonly now: number; readonly peak: number } {
    const each = this.workers.map((worker) => worker.memory());
    return { now: Math.max(...each.map(({ now }) => now)), peak: Math.max(...each.map(({ peak }) => peak)) };
  }

  /** Measures the share of one core that each part takes when idle, in per cent. */
  async idle(): Promise<readonly string[]> {
    const before = this.cpu();
    await sleep(IDLE_SECONDS * 1000);
    const after = this.cpu();
    return PARTS.map((part) => (((after[part] - before[part]) * 100) / IDLE_SECONDS).toFixed(1));
  }
}

/**
 * Measures waiting executions: their cost while they wait, and how fast they continue when all get their event at once. With `--workers`
 * over several, and with `--projects` of several.
 */
export async function run(args: readonly string[]): Promise<void> {
  const given = optionsOf(args, { workers: { type: 'string' }, projects: { type: 'string' } });
  const workers = wholeNumber('--workers', given.workers, 1, 16);
  const projects = wholeNumber('--projects', given.projects, 1, 16);
  const bench = await Bench.start(workers, projects);
  try {
    await bench.anatomy();
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
      `${EXECUTIONS} executions, ${projects} project(s), ${workers} worker(s) (peak ${bench.memory().peak} MiB)`,
      ['what', 'seconds', 'executions/s', ...PARTS.map((part) => `${part} %`), 'worker MiB'],
      rows,
    );
  } finally {
    await bench.stop();
  }
}
