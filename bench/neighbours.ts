import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/run/servers';
import { Neighbour, WATCHED } from './support/neighbour';
import { BadOption, optionsOf } from './support/options';
import { BenchPlatform } from './support/platform';
import { Probing } from './support/probes';
import { Measured } from './support/processes';
import { SCENES } from './support/scenes';
import { printTable } from './support/table';

const WARM_UP_MS = 2_000;
const IDLE_MS = 20_000;
const LONGEST_MS = 120_000;
const MEASURES = ['answer', 'mail', 'node', 'endpoint'] as const;

type SceneName = keyof typeof SCENES;
type Row = readonly (string | number)[];

const isScene = (name: string): name is SceneName => name in SCENES;

function scenesOf(names: readonly string[] = Object.keys(SCENES)): readonly SceneName[] {
  const unknown = names.filter((name) => !isScene(name));
  if (unknown.length > 0) throw new BadOption(`No scene is called ${unknown.join(', ')}; there are ${Object.keys(SCENES).join(', ')}`);
  return names.filter(isScene);
}

function scaleOf(text = '1'): number {
  const scale = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (scale <= 0 || scale > 100) throw new BadOption(`--scale must be a number above 0 and at most 100, not "${text}"`);
  return scale;
}

/** Both projects on a fresh platform. */
class Stage {
  private constructor(
    private readonly platform: BenchPlatform,
    private readonly sink: Measured,
    private readonly worker: Measured,
    private readonly neighbour: Neighbour,
  ) {}

  static async start(): Promise<Stage> {
    const port = await freePort();
    const sink = await Measured.start('bench/sink.ts', [String(port), '0', WATCHED], {}, 'listening');
    const privateCalls = { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };
    const platform = await BenchPlatform.start(privateCalls, { host: '127.0.0.1', port, pid: sink.pid });
    const worker = await platform.worker();
    const stage = new Stage(platform, sink, worker, await Neighbour.start(platform, sink));
    await new Probing(() => stage.neighbour.probes()).until(sleep(WARM_UP_MS));
    return stage;
  }

  idle(): Promise<Row> {
    return this.during('idle', () => sleep(IDLE_MS));
  }

  async scene(name: SceneName, scale: number): Promise<Row> {
    const { size, what, scene } = SCENES[name];
    const scaled = Math.max(1, Math.round(size * scale));
    const act = await scene(this.platform, scaled);
    return this.during(`${name}: ${scaled} ${what}`, act);
  }

  async stop(): Promise<void> {
    this.neighbour.stop();
    await this.worker.stop();
    await this.platform.stop();
    await this.sink.stop();
  }

  private async during(what: string, act: (signal: AbortSignal) => Promise<void>): Promise<Row> {
    const enough = new AbortController();
    const probing = new Probing(() => this.neighbour.probes());
    const [before, began] = [this.platform.api.memory().now, performance.now()];
    let seconds = '';
    const acting = act(enough.signal).then(() => (seconds = ((performance.now() - began) / 1000).toFixed(0)));
    const cut = setTimeout(() => enough.abort(), LONGEST_MS);
    await probing.until(acting);
    clearTimeout(cut);
    const grown = this.platform.api.memory().peak - before;
    return [
      what,
      enough.signal.aborted ? `cut at ${seconds}` : seconds,
      probing.of('mail').count,
      ...MEASURES.map((measure) => String(probing.of(measure))),
      grown,
    ];
  }
}

/** Measures how long one project's mail, webhook nodes and endpoints take while another project is busy. */
export async function run(args: readonly string[]): Promise<void> {
  const given = optionsOf(args, { scene: { type: 'string', multiple: true }, scale: { type: 'string' } });
  const [names, scale] = [scenesOf(given.scene), scaleOf(given.scale)];
  const rows: Row[] = [];
  for (const name of names) {
    const stage = await Stage.start();
    try {
      if (rows.length === 0) rows.push(await stage.idle());
      rows.push(await stage.scene(name, scale));
    } finally {
      await stage.stop();
    }
  }
  printTable(
    "neighbours: one project's times in ms (p50 / p95 / p99 / longest) while another is busy; answers from the request, the others from there",
    ['what the other does', 'seconds', 'probes', 'answer', 'mail delivered', 'webhook node reached', 'endpoint called', 'API grew by MiB'],
    rows,
  );
}
