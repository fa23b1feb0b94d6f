import { delayUntil } from '../delay';
import type { AskingNode } from '../node';
import { advanceTo } from '../stage';

export type Unit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks';

export interface Span {
  readonly amount: number;
  readonly unit: Unit;
}

export interface LocalTime {
  /** HH:MM */
  readonly time: string;
  readonly timezone: string;
  /** 1 = Monday; every day when absent. */
  readonly weekdays?: readonly number[] | undefined;
}

export type DelayConfig = Span | { readonly until: string } | LocalTime;

type DelayEffect =
  /** Asks for the instant at which the delay ends, which a host computes once and records. */
  | { readonly kind: 'computeDelay'; readonly nodeId: string; readonly delay: DelayConfig }
  | { readonly kind: 'sleepUntil'; readonly nodeId: string; readonly until: string };

/** Waits for a time: asks when it ends, then sleeps until then. */
export const delay: AskingNode<DelayConfig, DelayEffect, DelayConfig> = {
  waits: true,
  outline: (config) => config,
  effect: ({ id, config }, state) =>
    state.phase === 'sleeping'
      ? { kind: 'sleepUntil', nodeId: id, until: state.until }
      : { kind: 'computeDelay', nodeId: id, delay: config },
  goesOn: ({ phase, executionId, nodeId }, input) =>
    phase === 'asking' && input.kind === 'delayComputed' ? { phase: 'sleeping', executionId, nodeId, until: input.until } : null,
  outcome: (_node, state, input) => (input.kind === 'woke' && state.phase === 'sleeping' ? { output: { until: state.until } } : null),
  rehearse(stage, _node, effect) {
    if (effect.kind === 'computeDelay') return { kind: 'delayComputed', until: delayUntil(effect.delay, stage.now).toISOString() };
    return advanceTo(stage, new Date(effect.until)) ? { kind: 'woke' } : null;
  },
};
