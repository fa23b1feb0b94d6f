import { Registry, collectDefaultMetrics } from 'prom-client';
import { declarationOf } from './declare';
import type { Metered } from './declare';
import { metrics } from './metrics';

const samples = new Map<string, () => void>();

/** Has gauges set right before each scrape, from what the process knows. A later one of the same name takes the place of the earlier. */
export function sampled(name: string, sample: () => void): void {
  samples.set(name, sample);
}

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Writes a process's metrics in Prometheus' text format: ours, Node's (event loop, garbage collection, memory), and the answers of `others`. */
export function expositionOf(part: Metered, others?: () => Promise<string>): () => Promise<string> {
  const registry = new Registry();
  for (const metric of Object.values(metrics)) if (declarationOf(metric).of.includes(part)) registry.registerMetric(metric);
  collectDefaultMetrics({ register: registry });
  return async () => {
    for (const sample of samples.values()) sample();
    const texts = await Promise.all([registry.metrics(), others?.()]);
    return texts.join('');
  };
}
