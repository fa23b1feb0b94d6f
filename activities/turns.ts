import type { ApprovalCheckInput, ApprovalOutlook } from '../src/contracts/approval';
import type { SeriesOutlook, SeriesTurnInput } from '../src/contracts/campaign';
import type {
  ErasureBatchInput,
  ErasureProgress,
  ProjectRemovalBatchInput,
  ProjectRemovalProgress,
  RetentionBatchInput,
  RetentionProgress,
} from '../src/contracts/removals';
import type { OptInCheckInput, OptInOutlook } from '../src/contracts/contacts';
import type { RampOutlook, RampTurnInput } from '../src/contracts/ramp';
import { checkApproval } from '../src/marketing/approvals';
import { advanceSeries } from '../src/marketing/series';
import type { Core } from '../src/platform/core';
import { checkOptIn } from '../src/sending/opt-in';
import { moveRamp } from '../src/sending/ramps';
import { continueErasure } from '../src/upkeep/erasure';
import { continueRemoval } from '../src/upkeep/project-removal';
import { applyRetention } from '../src/upkeep/retention';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;

/** Returns the activities of processes that make one call again and again: a turn each. */
export const turnActivities = (core: Core) => ({
  /** Carries out what is due of an approval. Safe to retry: that it was carried out is noted in the transaction that does it. */
  approvalTurn: (input: ApprovalCheckInput): Promise<ApprovalOutlook> => checkApproval(core, input),

  /** Settles the instants of a recurring campaign that are due. Safe to retry: an instant is settled once, in one transaction with its turn. */
  seriesTurn: (input: SeriesTurnInput): Promise<SeriesOutlook> => advanceSeries(core, input),

  /** Moves a ramp to the day that has begun. Safe to retry: a day that was moved on to is found as it is. */
  rampTurn: (input: RampTurnInput): Promise<RampOutlook> => moveRamp(core, input),

  /**
   * Sends what is due of an opt-in, and notes how it ended. Safe to retry: that a confirmation was sent is noted in the transaction that
   * stores it. Null when the opt-in is over.
   */
  optInTurn: (input: OptInCheckInput): Promise<OptInOutlook | null> => checkOptIn(core, input),

  /** Removes a part of what is past its retention. Safe to retry: what is removed is not found again. */
  retentionTurn: (input: RetentionBatchInput): Promise<RetentionProgress> =>
    withHeartbeat(BEAT_MS, ({ signal }) => applyRetention(core, input, signal)),

  /** Carries out one batch of an erasure. Safe to retry: continues at the step that its document names, and does not find erased data again. */
  eraseTurn: ({ now, ...key }: ErasureBatchInput): Promise<ErasureProgress> =>
    withHeartbeat(BEAT_MS, ({ signal }) => continueErasure(core, key, new Date(now), signal)),

  /**
   * Carries out one batch of a project's removal. Safe to retry: continues at the collection that its document names, and does not find
   * removed rows again.
   */
  removeProjectTurn: ({ now, ...key }: ProjectRemovalBatchInput): Promise<ProjectRemovalProgress> =>
    withHeartbeat(BEAT_MS, ({ signal }) => continueRemoval(core, key, new Date(now), signal)),
});
