import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import './interval.css';

type OpenEstimate = NonNullable<Schemas['MachineOpens']['estimate']>;

const WIDTH = 200;
const HEIGHT = 18;
const EDGE = 6;

/** Returns the position of a difference between all for B and all for A: as far as the interval reaches, and no further. */
const placeOf = (value: number, reach: number): number => WIDTH / 2 + (value / reach) * (WIDTH / 2 - EDGE);

/** Draws the interval that contains the true difference, around zero. The text next to it says the same. */
export function Interval({ of: { low, high, difference } }: { readonly of: Schemas['VariantDifference'] }): ReactNode {
  const reach = Math.max(Math.abs(low), Math.abs(high), 0.01);
  const [from, to] = [placeOf(low, reach), placeOf(high, reach)];
  return (
    <svg className="interval" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line className="interval-zero" x1={WIDTH / 2} x2={WIDTH / 2} y1={0} y2={HEIGHT} />
      <line className="interval-range" x1={from} x2={to} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <circle className="interval-found" cx={placeOf(difference, reach)} cy={HEIGHT / 2} r={4.5} />
    </svg>
  );
}

/** Draws the interval that contains the true number of opens, from none to all. The text next to it says the same. */
export function Estimated({ of: { opened, low, high }, all }: { readonly of: OpenEstimate; readonly all: number }): ReactNode {
  const at = (value: number): number => EDGE + (value / Math.max(all, 1)) * (WIDTH - 2 * EDGE);
  return (
    <svg className="interval" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line className="interval-zero" x1={at(0)} x2={at(all)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <line className="interval-range" x1={at(low)} x2={at(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <circle className="interval-found" cx={at(opened)} cy={HEIGHT / 2} r={4.5} />
    </svg>
  );
}
