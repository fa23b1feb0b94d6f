import { setCurrentDetails } from '@temporalio/workflow';
import type { CampaignCursor, CampaignPlan, CampaignProgress, CampaignSendInput, Variant } from '../src/contracts/campaign';

/** The state of one run of a campaign's workflow: the steps change it, signals set the last two, and the query reads it. */
export interface CampaignState {
  phase: CampaignProgress['phase'];
  /** Null until the audience is frozen. */
  plan: CampaignPlan | null;
  sent: number;
  skipped: number;
  page: number;
  pages: number | null;
  heldReason: string | null;
  /** The step of a rollout that is being sent or was sent last, in words, with what it waits for; null without one. */
  step: string | null;
  winner: Variant | null;
  /** The workers that share the pages, by their task queues. */
  queues: readonly string[];
  cancelled: boolean;
  /** When the first recipient who waits for a frequency cap may be asked for again, in milliseconds; null when none waits. */
  laterAt: number | null;
  /** Recipients whose provider refuses the campaign's mail, by provider, as far as this check the audience has come; null when there are none. */
  refused: Record<string, number> | null;
  /** The number of times that the run learned that the campaign was resumed, and the last time. */
  resumes: number;
  resumedAt: number;
  /** Its start was taken back: it is a draft again. */
  unscheduled: boolean;
  /** Another start, which this run is to make way for. */
  wanted: CampaignSendInput | null;
}

const BEGINNING: CampaignState = {
  phase: 'freezing',
  plan: null,
  sent: 0,
  skipped: 0,
  page: 0,
  pages: null,
  heldReason: null,
  step: null,
  winner: null,
  queues: [],
  cancelled: false,
  laterAt: null,
  refused: null,
  resumes: 0,
  resumedAt: 0,
  unscheduled: false,
  wanted: null,
};

/** Creates the state of a run that begins, or that continues where the previous run ended. */
export function stateAt(cursor: CampaignCursor | undefined): CampaignState {
  if (!cursor) return { ...BEGINNING };
  const { plan, sent, skipped, winner } = cursor;
  return { ...BEGINNING, plan, sent, skipped, winner, queues: plan.queues };
}

/** Returns the answer to the query. */
export function progressOf({ phase, plan, sent, skipped, page, pages, heldReason }: CampaignState): CampaignProgress {
  const shown = (phase === 'sending' || phase === 'waiting') && heldReason !== null ? 'held' : phase;
  return { phase: shown, total: plan?.total ?? null, sent, skipped, page, pages, heldReason };
}

/** Shows in Temporal how far the campaign is. */
export function showProgress(state: CampaignState): void {
  const { phase, total, sent, skipped, heldReason } = progressOf(state);
  const held = heldReason === null ? '' : ` (${heldReason})`;
  const refused = Object.entries(state.refused ?? {}).map(([provider, count]) => `; ${count} wait for ${provider}, which refuses the mail`);
  const of = total ?? 'an audience that is not frozen yet';
  const step = state.step === null ? '' : `; ${state.step}`;
  setCurrentDetails(`${phase}${held}: ${sent} sent and ${skipped} skipped of ${of}${refused.join('')}${step}`);
}

/** Moves a campaign to a phase, and shows it in Temporal's web UI. */
export function enter(state: CampaignState, phase: CampaignProgress['phase']): void {
  state.phase = phase;
  showProgress(state);
}
