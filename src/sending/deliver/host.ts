import type { Core } from '../../platform/core';
import { deliveryQueueOf } from '../../contracts/delivery';
import type { PumpResult } from '../../contracts/delivery';
import type { CampaignPageResult } from '../../contracts/campaign';
import type { WakeWatch } from '../../platform/wake-ups';
import { currentPause } from '../pause';
import { Engine } from './engine';
import { campaignWork, Permits } from './hooks';
import type { PageCall, PageTools } from './hooks';
import { makeLanes } from './make-lanes';
import { LEASE_TIMES, Lease } from './lease';
import type { LeaseTimes } from './lease';
import { PUMP_TIMES, PumpRun } from './pump';
import type { PumpTimes } from '../../platform/pumps';

/** A pump that could not be moved stays for this long: by then it is known which workers live. */
const STAY_MS = 30_000;

const GUARD_MS = 1_000;

/** While one slice is on the wire, another is claimed, rendered or recorded. */
const SLICES_AT_ONCE = 2;
/** Larger slices save few commands, and leave connections idle at their ends. */
const LARGEST_SLICE = 250;

export interface PumpCall {
  readonly shard: number;
  /** The workflow's time when it asked, in milliseconds. */
  readonly startedAt: number;
  readonly stay: boolean;
  readonly signal: AbortSignal;
  readonly beat: (handled: number) => void;
}

/** The delivery side of a worker process: its lease, its SMTP connections, and the pumps that run in it. */
export class DeliveryHost {
  private readonly engine: Engine;
  private readonly lease: Lease;
  private readonly campaigns: PageTools;
  private readonly stopping = new AbortController();
  private guard: NodeJS.Timeout | undefined;
  /** The pause as read last. */
  private paused: boolean | null = null;

  constructor(
    private readonly core: Core,
    private readonly watch: WakeWatch,
    private readonly times: { readonly lease: LeaseTimes; readonly pump: PumpTimes } = { lease: LEASE_TIMES, pump: PUMP_TIMES },
  ) {
    const holds = (): boolean => this.lease.holds();
    const lanes = makeLanes(core, holds);
    this.lease = new Lease(core, () => this.engine.activeAttempts(), times.lease);
    this.engine = new Engine(core, this.lease.workerId, lanes, this.lease);
    this.engine.paused = true;
    this.campaigns = {
      core,
      engine: this.engine,
      workerId: this.lease.workerId,
      sliceSize: Math.max(1, Math.min(LARGEST_SLICE, Math.floor(core.config.LEDGER_CHUNK / SLICES_AT_ONCE))),
      permits: new Permits(core.config.LEDGER_CHUNK),
    };
  }

  async start(): Promise<void> {
    await this.lease.start();
    await Promise.all([this.checkPause(), this.engine.watch.learn()]);
    this.guard = setInterval(() => {
      if (!this.lease.holds()) this.engine.destroy();
      void this.checkPause().then(() => this.engine.recheck());
      this.engine.watch
        .learn()
        .catch((err: unknown) => this.core.log.warn({ err }, 'The providers that refuse campaign mail could not be read'));
    }, GUARD_MS);
  }

  /** Learns whether an operator has paused sending. While that cannot be read, it is as it was. */
  private async checkPause(): Promise<void> {
    const paused = await currentPause().then(
      (pause) => pause !== null,
      (err: unknown) => {
        if (this.paused === null) this.core.log.warn({ err }, 'Nothing is sent until it is known whether sending is paused');
        return this.paused;
      },
    );
    if (paused === null) return;
    if (paused !== (this.paused ?? false)) this.core.log.info(paused ? 'Sending is paused' : 'Sending is resumed');
    this.engine.paused = this.paused = paused;
  }

  /** Runs a shard's pump once, by the clock of the workflow that asked for it. */
  pump({ shard, startedAt, stay, signal, beat }: PumpCall): Promise<PumpResult> {
    // Normally behind by the moment that the activity took to start; ahead only when tests skip time.
    const offset = Math.max(0, startedAt - Date.now());
    const now = (): Date => new Date(Date.now() + offset);
    const moveFrom = performance.now() + (stay ? STAY_MS : 0);
    const elsewhere = (): string | null => (performance.now() < moveFrom ? null : this.queueElsewhere(shard));
    return new PumpRun(
      this.core,
      this.engine,
      this.watch,
      { shard, now, beat, elsewhere, signal: AbortSignal.any([signal, this.stopping.signal]) },
      this.times.pump,
    ).run();
  }

  /** The task queue of this process alone. */
  get queue(): string {
    return deliveryQueueOf(this.lease.workerId);
  }

  private queueElsewhere(shard: number): string | null {
    const worker = this.lease.workerOf(shard);
    return worker === null || worker === this.lease.workerId ? null : deliveryQueueOf(worker);
  }

  /** Sends a page of a campaign. */
  async campaignPage({ input, signal }: PageCall): Promise<CampaignPageResult> {
    const result = await campaignWork.only.sendPage(this.campaigns, { input, signal: AbortSignal.any([signal, this.stopping.signal]) });
    return { ...result, queues: this.lease.pool.map(deliveryQueueOf) };
  }

  /** Finishes and records what is on the wire, begins nothing more, and gives up the lease. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.lease.leavePool(), this.engine.drain()]);
    clearInterval(this.guard);
    await this.lease.end();
  }
}
