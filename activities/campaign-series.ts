import type { Core } from '../src/platform/core';
import type { SeriesOutlook, SeriesTurnInput } from '../src/contracts/campaign-series';
import { seriesTurn } from '../src/marketing/series';

export const campaignSeriesActivities = (core: Core) => ({
  /** Safe to retry: an instant is settled once, in one transaction with its turn. */
  seriesTurn: (input: SeriesTurnInput): Promise<SeriesOutlook> => seriesTurn(core, input),
});
