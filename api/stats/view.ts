import type { z } from 'zod';
import type { Stats } from '../../src/audience/statistics';
import type { Stats as WireStats } from './schemas';

export const toStats = ({ from, to, series, ...stats }: Stats): z.input<typeof WireStats> => ({
  ...stats,
  from: from.toISOString(),
  to: to.toISOString(),
  series: series.map(({ at, counts }) => ({ at: at.toISOString(), ...counts })),
});
