import type { z } from 'zod';
import type { DomainReports } from '../../src/sending/domain-reports';
import type { DomainReports as WireReports } from './schemas';

export const toDomainReports = ({ from, to, dmarc, ...reports }: DomainReports): z.input<typeof WireReports> => ({
  ...reports,
  from: from.toISOString(),
  to: to.toISOString(),
  dmarc: {
    ...dmarc,
    ready: { ...dmarc.ready, lastDay: dmarc.ready.lastDay?.toISOString() ?? null },
    days: dmarc.days.map((each) => ({ ...each, day: each.day.toISOString() })),
    sources: dmarc.sources.map((source) => ({ ...source, lastDay: source.lastDay.toISOString() })),
  },
});
