import type { Schemas } from '../../parts/api.ts';

type Hour = Schemas['CampaignPlan']['hours'][number];

const HOUR_MS = 3_600_000;
/** Space between two bars, as a share of an hour. */
const GAP = 0.2;
/** A bar of one recipient among thousands is seen too. */
const LEAST = 2;

export interface Bar {
  readonly hour: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns a bar for each hour with recipients, placed by its time and as high as its share of the largest. Hours without recipients are empty space. */
export function barsOf(hours: readonly Hour[], width: number, height: number): readonly Bar[] {
  const starts = hours.map(({ hour }) => Date.parse(hour));
  const first = Math.min(...starts);
  const step = width / ((Math.max(...starts) - first) / HOUR_MS + 1);
  const most = Math.max(...hours.map(({ count }) => count));
  return hours.map(({ hour, count }) => {
    const tall = Math.max(LEAST, (count / most) * height);
    const at = (Date.parse(hour) - first) / HOUR_MS;
    return { hour, x: at * step, y: height - tall, width: Math.max(1, step * (1 - GAP)), height: tall };
  });
}
