import { Upkeep, checked } from './upkeep';
import type { Check } from './upkeep';

export interface ProbeAnswer {
  readonly status: 200 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sources for the state of a process. */
export interface ProbeSources {
  readonly mongodb: () => Promise<boolean>;
  readonly temporal: () => Promise<boolean>;
  /** Why the process can never again do its work, so that it should be replaced; empty while it can, or has not begun. */
  readonly faults?: () => readonly string[];
}

/** The paths that orchestrators and load balancers ask, on every process. */
export const PROBE_PATHS = ['/livez', '/readyz'] as const;

export type ProbePath = (typeof PROBE_PATHS)[number];

export const isProbePath = (path: string): path is ProbePath => (PROBE_PATHS as readonly string[]).includes(path);

/** Answers probes from memory: no server is asked while a probe waits. */
export class Probes {
  private readonly upkeep: Upkeep<'mongodb' | 'temporal'>;
  private started = false;
  private stopping = false;

  constructor(private readonly sources: ProbeSources) {
    const { mongodb, temporal } = sources;
    this.upkeep = new Upkeep({ mongodb, temporal });
    this.upkeep.start();
  }

  /** Notes that the process can do its work from now on, as far as it depends on itself. */
  noteStarted(): void {
    this.started = true;
  }

  /** Notes that the process takes nothing new any more. */
  noteStopping(): void {
    this.stopping = true;
    this.upkeep.stop();
  }

  /** Asks both servers now. */
  async asked(): Promise<Readonly<Record<'mongodb' | 'temporal', Check>>> {
    const [mongodb, temporal] = await Promise.all([checked(this.sources.mongodb()), checked(this.sources.temporal())]);
    return { mongodb, temporal };
  }

  /** Returns what was there and what was not when it was asked last. */
  get checks(): Readonly<Record<'mongodb' | 'temporal', Check>> {
    return this.upkeep.checks;
  }

  answer(path: ProbePath): ProbeAnswer {
    return path === '/livez' ? this.live() : this.ready();
  }

  private get faults(): readonly string[] {
    return this.stopping ? [] : (this.sources.faults?.() ?? []);
  }

  /**
   * Answers whether the process is alive. An answer alone shows that its event loop runs. While the process stops, its parts may end in any
   * order.
   */
  private live(): ProbeAnswer {
    const { faults } = this;
    return faults.length === 0 ? { status: 200, body: { status: 'live' } } : { status: 503, body: { status: 'not live', faults } };
  }

  // Temporal is shown and not required: sends are accepted without it, and a worker waits for it in its place.
  private ready(): ProbeAnswer {
    const { checks } = this;
    const isReady = this.started && !this.stopping && checks.mongodb === 'up' && this.faults.length === 0;
    return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : this.stopping ? 'stopping' : 'not ready', checks } };
  }
}
