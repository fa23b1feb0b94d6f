import { LRUCache } from 'lru-cache';
import { Breaker } from '../fair';
import type { BreakerTimes } from '../fair';
import type { Logger } from '../log';
import type { Answered } from './call';

/** A call within other work, such as a node of an automation, which holds a place of its worker; or a delivery to an endpoint, which holds none. */
type CallKind = 'within' | 'delivery';

/** Limits for concurrent calls of this process. */
interface CallLimits {
  readonly ofProject: number;
  /** To one host of a project. */
  readonly ofHost: number;
  /** To a server that is on trial: it did not answer, and has not answered since its pause. */
  readonly onTrial: number;
}

const LIMITS: Readonly<Record<CallKind, CallLimits>> = {
  within: { ofProject: 25, ofHost: 10, onTrial: 5 },
  delivery: { ofProject: 100, ofHost: 50, onTrial: 1 },
};
/** A quarter of a worker's places for activities and pumps is left to projects that have few calls under way. */
const WITHIN = 75;
const FEW = 2;

/** The caller and the host of a call. */
export interface Callee {
  readonly kind: CallKind;
  readonly projectId: string;
  readonly host: string;
  /** Owner of separate time-outs, where that is not the host. */
  readonly webhookId?: string;
}

/** The permission for one call. */
export interface Permit {
  /** Is called when the call has ended: with what came of it, or with null when it was not made; the first time counts. */
  readonly leave: (answered: Pick<Answered, 'errorClass'> | null) => void;
}

/** Five time-outs without an answer in between are a failure. */
const CALL_TIMES: BreakerTimes = { pausesMs: [5_000, 10_000, 20_000, 30_000], storm: 5, stormMs: 120_000 };

const SOON_MS = 500;
const LONGEST_MS = 300_000;
const FIRST_GAP_MS = 50;
const GAPS_MS = [5, 500] as const;
const CALLEES = 20_000;

interface State {
  readonly breaker: Breaker;
  busy: number;
  /** Time between the returns of two refused calls: about as long as a call keeps its place. */
  gapMs: number;
  lastReturn: number;
}

/**
 * Says which calls to customers' servers may be made, so that a server which is slow, or does not answer, takes nothing from other projects. One that times
 * out again and again is left alone, for longer each time; then it is tried by few calls, until one is answered. Who is sent away has spent no attempt.
 */
export class CallGate {
  private readonly states = new LRUCache<string, State>({ max: CALLEES });
  private readonly busy = new Map<string, number>();

  constructor(
    private readonly log: Pick<Logger, 'info' | 'warn'>,
    private readonly times: BreakerTimes = CALL_TIMES,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Returns for how many milliseconds a server is left alone still; 0 when it may be called. */
  restMs(callee: Callee): number {
    return this.stateOf(callee).breaker.restMs;
  }

  /**
   * Admits a call, or returns null when it may not be made now. The first of a row of its own (`isFirst`) is held back by no other call,
   * but by a server that is left alone.
   */
  ask(callee: Callee, isFirst = false): Permit | null {
    return this.admits(callee, isFirst) ? this.enter(callee, this.stateOf(callee)) : null;
  }

  /** Returns whether a call would be admitted now. */
  admits(callee: Callee, isFirst = false): boolean {
    const { breaker, busy } = this.stateOf(callee);
    if (breaker.restMs > 0 || (breaker.onTrial && busy >= LIMITS[callee.kind].onTrial)) return false;
    return isFirst || !this.isFull(callee);
  }

  /**
   * Returns when a refused caller may ask again, in milliseconds from now. Callers come one after another, as fast as places become free, so that thousands
   * who wait for one server do not all ask at once.
   */
  returnIn(callee: Callee): number {
    const state = this.stateOf(callee);
    const now = this.now();
    const soonest = now + Math.max(SOON_MS, state.breaker.restMs);
    const at = Math.max(soonest, Math.min(state.lastReturn + state.gapMs, now + LONGEST_MS));
    state.lastReturn = at;
    return Math.ceil(at - now);
  }

  private isFull({ kind, projectId, host }: Callee): boolean {
    const { ofProject, ofHost } = LIMITS[kind];
    const [all, project, ofTheHost] = keysOf({ kind, projectId, host }).map((key) => this.busy.get(key) ?? 0) as [number, number, number];
    if (project >= ofProject || ofTheHost >= ofHost) return true;
    return kind === 'within' && all >= WITHIN && project >= FEW;
  }

  private enter(callee: Callee, state: State): Permit {
    const began = this.now();
    const keys = keysOf(callee);
    state.busy++;
    for (const key of keys) this.count(key, 1);
    let isOver = false;
    return {
      leave: (answered) => {
        if (isOver) return;
        isOver = true;
        state.busy--;
        for (const key of keys) this.count(key, -1);
        if (answered) this.note(callee, state, { answered, tookMs: this.now() - began });
      },
    };
  }

  private note(
    { kind, projectId, host, webhookId }: Callee,
    state: State,
    of: { answered: Pick<Answered, 'errorClass'>; tookMs: number },
  ): void {
    const { breaker } = state;
    const wasOnTrial = breaker.onTrial;
    state.gapMs = Math.min(GAPS_MS[1], Math.max(GAPS_MS[0], of.tookMs / LIMITS[kind].ofHost));
    // A refused connection costs no time, so it does not count against the host.
    if (of.answered.errorClass !== 'time-out') breaker.note('well');
    else breaker.note(wasOnTrial ? 'gone' : 'busy');
    if (wasOnTrial && !breaker.onTrial) this.log.info({ projectId, host, webhookId }, 'An unresponsive server answers again');
  }

  private count(key: string, by: 1 | -1): void {
    const busy = (this.busy.get(key) ?? 0) + by;
    if (busy > 0) this.busy.set(key, busy);
    else this.busy.delete(key);
  }

  private stateOf({ kind, projectId, host, webhookId }: Callee): State {
    const key = `${kind} ${projectId} ${host} ${webhookId ?? ''}`;
    const known = this.states.get(key);
    if (known) return known;
    const opened = (pauseMs: number, failures: number): void =>
      this.log.warn({ projectId, host, webhookId, pauseMs, failures }, 'A server is unresponsive; calls to it pause');
    const breaker = new Breaker(this.times, opened, this.now);
    const state: State = { breaker, busy: 0, gapMs: FIRST_GAP_MS, lastReturn: Number.NEGATIVE_INFINITY };
    this.states.set(key, state);
    return state;
  }
}

/** Returns what a call is counted under. */
const keysOf = ({ kind, projectId, host }: Callee): readonly string[] => [kind, `${kind} ${projectId}`, `${kind} ${projectId} ${host}`];
