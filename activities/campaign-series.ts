import type { Core } from '../src/platform/core';
import type { SeriesOutlook, SeriesTurnInput } from '../src/contracts/campaign-series';
import { advanceSeries } from '../src/marketing/series';

export const campaignSeriesActivities = (core: Core) => ({
  /**
   * Settles the instants of a recurring campaign that are due. Safe to retry: an instant is settled once, in one transaction with its
   * turn.
   */
  seriesTurn: (input: SeriesTurnInput): Promise<SeriesOutlook> => advanceSeries(core, input),
});
