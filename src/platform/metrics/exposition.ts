import { Registry, collectDefaultMetrics } from 'prom-client';
import { hook } from '../hooks';
import { declarationOf } from './declare';
import type { Metered } from './declare';
import { metrics } from './metrics';

const samples = hook<() => void>('what sets gauges');

/** Registers a function that sets gauges right before each scrape. A later one of the same name replaces the earlier. */
export function sampled(name: string, sample: () => void): void {
  samples.answer(name, sample);
}

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Writes a process's metrics in Prometheus' text format: ours, Node's (event loop, garbage collection, memory), and the answers of `others`. */
export function expositionOf(part: Metered, others?: () => Promise<string>): () => Promise<string> {
  const registry = new Registry();
  for (const metric of Object.values(metrics)) if (declarationOf(metric).of.includes(part)) registry.registerMetric(metric);
  collectDefaultMetrics({ register: registry });
  return async () => {
    for (const sample of samples.optional) sample();
    const texts = await Promise.all([registry.metrics(), others?.()]);
    return texts.join('');
  };
}
