import { Counter, Gauge, Histogram } from 'prom-client';

/** The processes that have metrics. */
export type Metered = 'api' | 'worker' | 'smtp';

type Metric = Counter | Gauge | Histogram;

interface Given<Label extends string> {
  /** Without the platform's prefix. */
  readonly name: string;
  readonly help: string;
  /** Which processes have it. */
  readonly of: readonly Metered[];
  /** Each has few values: no address, no project, no id. */
  readonly labels?: readonly Label[];
}

/** Description of a metric without its values. */
export interface Declaration {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly of: readonly Metered[];
  readonly labels: readonly string[];
}

const declarations = new WeakMap<object, Declaration>();

/** Returns what was said of a metric when it was made. */
export const declarationOf = (metric: object): Declaration => declarations.get(metric) as Declaration;

function declared<M extends Metric>(
  { name, help, of, labels = [] }: Given<string>,
  type: Declaration['type'],
  make: (settings: { name: string; help: string; labelNames: string[]; registers: [] }) => M,
): M {
  const declaration = { name: `lettermill_${name}`, help, type, of, labels };
  // Which processes it is of is known when one of them opens its port.
  const metric = make({ name: declaration.name, help, labelNames: [...labels], registers: [] });
  declarations.set(metric, declaration);
  return metric;
}

/**
 * Declares a value that only grows; its name ends in `_total`. The series for `values`, of its one label, exist from the start: Prometheus
 * sees no increase in a series that begins with its first count.
 */
export const counter = <Label extends string = never>({
  values = [],
  ...given
}: Given<Label> & { readonly values?: readonly string[] }): Counter<Label> =>
  declared(given, 'counter', (settings) => {
    const made = new Counter<string>(settings);
    for (const value of values) made.inc({ [settings.labelNames[0] ?? '']: value }, 0);
    return made;
  });

/** Declares a value that goes up and down. */
export const gauge = <Label extends string = never>(given: Given<Label>): Gauge<Label> =>
  declared(given, 'gauge', (settings) => new Gauge<string>(settings));

/** Declares a duration, in seconds. */
export const histogram = <Label extends string = never>({
  buckets,
  ...given
}: Given<Label> & { readonly buckets: readonly number[] }): Histogram<Label> =>
  declared(given, 'histogram', (settings) => new Histogram<string>({ ...settings, buckets: [...buckets] }));
