import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { campaignProgressQuery, campaignWorkflowId, cancelSignal, resumedSignal, unscheduledSignal } from '../../../src/contracts/campaign';
import type {
  CampaignKey,
  CampaignPageInput,
  CampaignPageResult,
  CampaignPlan,
  CampaignProgress,
  CampaignSendInput,
  EndPauseInput,
  FinishInput,
  FinishResult,
  SendTimeGroup,
  NextRangeInput,
  NextSendTimeInput,
  CampaignAt,
  CheckRolloutInput,
  ProvidersChecked,
  RolloutChecked,
  Variant,
} from '../../../src/contracts/campaign';
import { TASK_QUEUES } from '../../../src/contracts/task-queues';
import { searchAttributesOf } from '../../../src/platform/temporal/search-attributes';
import { forTheFile } from '../run/for-the-file';
import { testWorkflowCode } from '../run/servers';
import { borrowTimeSkipping, returnTimeSkipping } from './time-skipping';

export interface Call {
  readonly name: string;
  /** The workflow's time, in milliseconds. */
  readonly at: number;
  readonly input: unknown;
}

/** A plan with pages of a thousand, four at once, for the only worker. */
export const aPlan = (more: Partial<CampaignPlan> = {}): CampaignPlan => ({
  total: 3,
  throttlePerMinute: null,
  ab: null,
  pageRows: 1_000,
  pagesAtOnce: 4,
  queues: [],
  ...more,
});

/** Plays the activities of a campaign, instead of database and mail server. */
export class CampaignWorld {
  status: 'scheduled' | 'sending' | 'sent' | 'cancelled' = 'sending';
  plan = aPlan();
  /** While it is paused: until when; null until a person resumes it. */
  pausedUntil: string | null | undefined;
  winner: Variant = 'a';
  /** Recipients that each of the next finishes finds neither sent nor skipped. */
  left: number[] = [];
  /** Additional results of the next calls of finish. */
  said: Partial<FinishResult>[] = [];
  page: (input: CampaignPageInput) => CampaignPageResult = () => ({ sent: 1, skipped: 0, done: true, held: null });
  nextRange: (input: NextRangeInput) => string | null = () => null;
  /** When providers are checked again. */
  checked: (input: CampaignAt) => number | null = () => null;
  /** The answer to a check after a step of a rollout. */
  rollout: (input: CheckRolloutInput) => RolloutChecked = () => ({ state: 'passed', until: null, held: null });
  /** Turns of its recipients, in order. */
  turns: readonly SendTimeGroup[] = [];
  nextTurn: (input: NextSendTimeInput) => SendTimeGroup | null = ({ after }) =>
    this.turns.find(({ at }) => after === null || at > after) ?? null;
  readonly calls: Call[] = [];

  constructor(private readonly now: () => Promise<number>) {}

  named(name: string): readonly Call[] {
    return this.calls.filter((call) => call.name === name);
  }

  get pages(): readonly CampaignPageInput[] {
    return this.named('sendCampaignPage').map(({ input }) => input as CampaignPageInput);
  }

  private async note(name: string, input: unknown): Promise<void> {
    this.calls.push({ name, at: await this.now(), input });
  }

  readonly activities = {
    beginCampaign: async (input: CampaignKey): Promise<boolean> => {
      await this.note('beginCampaign', input);
      if (this.status === 'scheduled') this.status = 'sending';
      return this.status === 'sending';
    },
    freezeCampaign: async (input: CampaignKey): Promise<CampaignPlan | null> => {
      await this.note('freezeCampaign', input);
      return this.status === 'sending' ? this.plan : null;
    },
    gatherNonOpeners: async (input: CampaignKey): Promise<boolean> => {
      await this.note('gatherNonOpeners', input);
      return true;
    },
    nextCampaignRange: async (input: NextRangeInput): Promise<string | null> => {
      await this.note('nextCampaignRange', input);
      return this.nextRange(input);
    },
    nextCampaignTurn: async (input: NextSendTimeInput): Promise<SendTimeGroup | null> => {
      await this.note('nextCampaignTurn', input);
      return this.nextTurn(input);
    },
    sendCampaignPage: async (input: CampaignPageInput): Promise<CampaignPageResult> => {
      await this.note('sendCampaignPage', input);
      if (this.status !== 'sending') return { sent: 0, skipped: 0, done: false, held: null, over: true };
      if (this.pausedUntil !== undefined) return { sent: 0, skipped: 0, done: false, held: 'paused', pausedUntil: this.pausedUntil };
      return this.page(input);
    },
    checkProviders: async (input: CampaignAt): Promise<ProvidersChecked> => {
      await this.note('checkProviders', input);
      return { nextAt: this.checked(input) };
    },
    checkRollout: async (input: CheckRolloutInput): Promise<RolloutChecked> => {
      await this.note('checkRollout', input);
      return this.status === 'sending' ? this.rollout(input) : { state: 'over', until: null, held: null };
    },
    endCampaignPause: async (input: EndPauseInput): Promise<void> => {
      await this.note('endCampaignPause', input);
      this.pausedUntil = undefined;
    },
    decideCampaign: async (input: CampaignKey): Promise<Variant | null> => {
      await this.note('decideCampaign', input);
      return this.status === 'cancelled' ? null : this.winner;
    },
    finishCampaign: async (input: FinishInput): Promise<FinishResult> => {
      await this.note('finishCampaign', input);
      const pending = input.cancelled ? 0 : (this.left.shift() ?? 0);
      if (input.cancelled && this.status === 'scheduled') this.status = 'cancelled';
      if (!input.cancelled && pending === 0 && this.status === 'sending') this.status = 'sent';
      return { pending, sent: this.plan.total, skipped: 0, ...this.said.shift() };
    },
    removeCampaign: (input: CampaignKey): Promise<void> => this.note('removeCampaign', input),
  };
}

type Activities = CampaignWorld['activities'];

interface HistoryEvent {
  readonly workflowExecutionContinuedAsNewEventAttributes?: { readonly newExecutionRunId?: string | null } | null;
}

/** The real workflows on a Temporal whose time can be skipped, with a world of their own for each test. */
export class CampaignBench {
  private world: CampaignWorld;
  private running: Promise<unknown> = Promise.resolve();
  private workers: readonly Worker[] = [];
  private ids = 0;

  private constructor(readonly env: TestWorkflowEnvironment) {
    this.world = new CampaignWorld(() => env.currentTimeMs());
  }

  static async start(): Promise<CampaignBench> {
    const env = await borrowTimeSkipping();
    const bench = new CampaignBench(env);
    await bench.startWorkers();
    return bench;
  }

  private async startWorkers(): Promise<void> {
    const { nativeConnection: connection, namespace = 'default' } = this.env;
    const names = Object.keys(this.world.activities) as (keyof Activities)[];
    const activities = Object.fromEntries(
      names.map((name) => [name, (input: never): Promise<unknown> => this.world.activities[name](input)]),
    );
    this.workers = await Promise.all(
      TASK_QUEUES.map((taskQueue) =>
        Worker.create({
          connection,
          namespace,
          activities,
          taskQueue,
          ...(taskQueue === 'orchestration' && { workflowBundle: testWorkflowCode() }),
        }),
      ),
    );
    this.running = Promise.all(this.workers.map((worker) => worker.run()));
  }

  async stop(): Promise<void> {
    for (const worker of this.workers) worker.shutdown();
    await this.running;
    await returnTimeSkipping(this.env);
  }

  /** Runs `work` with a world in which nothing has happened yet. */
  run<T>(work: (world: CampaignWorld) => Promise<T>): Promise<T> {
    this.world = new CampaignWorld(() => this.env.currentTimeMs());
    return work(this.world);
  }

  /** An id that no other campaign has. */
  freshId(): string {
    return `cmp_${++this.ids}`;
  }

  /** The instant that is so far ahead by the workflows' time. */
  async inMs(ms: number): Promise<string> {
    return new Date((await this.env.currentTimeMs()) + ms).toISOString();
  }

  async begin(campaignId: string, more: Partial<CampaignSendInput> = {}) {
    const input: CampaignSendInput = { campaignId, projectId: 'prj_1', scheduledFor: null, ...more };
    const handle = await this.env.client.workflow.start('campaignSend', {
      workflowId: campaignWorkflowId(campaignId),
      taskQueue: 'orchestration',
      args: [input],
      typedSearchAttributes: searchAttributesOf({ projectId: 'prj_1', campaignId }),
    });
    return {
      handle,
      progress: (): Promise<CampaignProgress> => handle.query(campaignProgressQuery),
      cancel: (): Promise<void> => handle.signal(cancelSignal),
      resume: (): Promise<void> => handle.signal(resumedSignal),
      unschedule: (instant: string): Promise<void> => handle.signal(unscheduledSignal, instant),
    };
  }

  /** Resolves to the lengths of the histories of a workflow's runs, first run first. */
  async historyLengths(workflowId: string, firstRunId: string): Promise<number[]> {
    const lengths: number[] = [];
    for (let runId: string | null | undefined = firstRunId; runId;) {
      const history: { readonly events?: readonly HistoryEvent[] | null } = await this.env.client.workflow
        .getHandle(workflowId, runId)
        .fetchHistory();
      lengths.push(history.events?.length ?? 0);
      runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    }
    return lengths;
  }
}

/** Such a bench for the tests of a file. */
export const aCampaignBench = (): CampaignBench =>
  forTheFile(
    () => CampaignBench.start(),
    (bench) => bench.stop(),
  );
