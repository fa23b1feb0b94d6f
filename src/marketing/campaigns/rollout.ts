import { invalid } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { CampaignKey, CampaignPlan, CheckRolloutInput, RolloutChecked } from '../../contracts/campaign';
import type { Timing } from '../../contracts/send-windows';
import { countTrouble } from '../../records/emails';
import { spanMilliseconds } from '../../rules/automation/delay';
import { countsSince, judgeStep, stepRows } from '../../rules/rollout';
import type { RolloutFinding, RolloutCounts, RolloutWait } from '../../rules/rollout';
import { remedyOf } from '../../rules/policy-refusal';
import { holdsOf } from '../../sending/provider-holds';
import { setHeldReason } from './announce';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { findCampaign } from './page-source';
import { PROVIDER_REFUSES, checkProviders } from './providers';

/** The reason of a campaign whose rollout was stopped by what came of a step. */
export const ROLLOUT_STOPPED = 'rollout_stopped';

/** Throws 422 for a campaign that cannot be sent in steps. */
export function requireSteps({ abSubjectB, schedule }: Campaign, timing: Timing | undefined): void {
  const refuseWith = (message: string): Error => invalid('rollout', 'invalid_combination', message);
  if (schedule) throw refuseWith('A recurring campaign has no rollout');
  if (abSubjectB !== null) throw refuseWith('An A/B test has no rollout: its sample is a first step');
  if (timing?.localTime) throw refuseWith('Not with `localTime`');
  const { windows } = timing ?? {};
  if (windows && (windows.outside === 'skip' || windows.expireAfter))
    throw refuseWith(
      'Not with windows that skip recipients, as those of later steps would be skipped: give the campaign windows that wait',
    );
}

/** Resolves to the steps of a frozen audience, and stores how many recipients each has. `positionAfter` finds the position after the first ones. */
export async function planSteps(
  { campaignId, projectId }: CampaignKey,
  { steps }: CampaignRollout,
  total: number,
  positionAfter: (rows: number) => Promise<string | null>,
): Promise<NonNullable<CampaignPlan['rollout']>> {
  const percents = steps.map(({ percent }) => percent);
  const rows = stepRows(total, percents);
  const planned: { percent: number; rows: number; to: string | null }[] = [];
  let end = 0;
  for (const [index, { percent }] of steps.entries()) {
    const own = rows[index] ?? 0;
    end += own;
    planned.push({ percent, rows: own, to: end >= total ? null : await positionAfter(end) });
  }
  const counted = Object.fromEntries(rows.map((own, index) => [`rollout.steps.${index}.recipients`, own]));
  await CampaignModel.updateOne({ _id: campaignId, projectId, status: 'sending' }, { $set: counted });
  return planned;
}

const OVER: RolloutChecked = { state: 'over', until: null, held: null };
const PASSED: RolloutChecked = { state: 'passed', until: null, held: null };

/**
 * Checks a rollout after all recipients of a step were sent to: notes that, waits, checks what came of its messages, and holds the campaign where that went
 * wrong. Safe to repeat.
 *
 * | killed                         | found                                   | happens                                                    |
 * |--------------------------------|-----------------------------------------|------------------------------------------------------------|
 * | before the step is noted       | the step without `sentAt`               | the check is repeated; the wait begins then                  |
 * | in the wait                    | the timer of the workflow               | the next worker continues it                                |
 * | checked, before it is noted     | the step without `counts`               | it is checked again                                          |
 * | noted, before `heldReason`     | `findings`                              | the check is repeated, and sets the reason                   |
 * | API, resumed, before the signal | the step with `passedAt`               | the outbox sends the signal                                 |
 */
export async function checkRollout(core: Core, { campaignId, projectId, step, now }: CheckRolloutInput): Promise<RolloutChecked> {
  const campaign = await findCampaign(projectId, campaignId);
  if (campaign?.status !== 'sending') return OVER;
  const at = campaign.rollout?.steps[step];
  // A campaign without the step was restored to before its launch: its workflow finds that in what it does next.
  if (!at || at.passedAt) return PASSED;
  if (!at.sentAt) return waitFrom(campaign, step, now);
  const waiting = waitingAt(campaign, at.sentAt.getTime() + waitAfter(at), now);
  if (waiting) return waiting;
  const findings = at.findings ?? (await judge(campaign, step, now));
  return findings.length === 0 ? PASSED : hold(core, campaign, step, findings, now);
}

const waitAfter = (step: AskedStep | undefined): number => (step?.wait ? spanMilliseconds(step.wait) : 0);

/** Returns what a step waits for; null once it can be checked. A step is not checked while the campaign is paused. */
function waitingAt({ paused }: Campaign, due: number, now: number): RolloutChecked | null {
  if (due > now) return { state: 'waits', until: due, held: null };
  if (!paused || (paused.until !== null && paused.until.getTime() <= now)) return null;
  return { state: 'waits', until: paused.until && paused.until.getTime(), held: 'paused' };
}

async function waitFrom({ _id, projectId, rollout }: Campaign, step: number, now: number): Promise<RolloutChecked> {
  const { steps = [] } = rollout ?? {};
  const until = now + waitAfter(steps[step]);
  const at = new Date(now);
  // After a restore of the database, steps that the workflow has done may not be noted.
  const missed = steps.flatMap(({ passedAt }, index) => (index < step && !passedAt ? [index] : []));
  const before: Readonly<Record<string, Date>> = Object.fromEntries(
    missed.map((index) => [`rollout.steps.${index}.passedAt`, at] as const),
  );
  const filter = { _id, projectId, status: 'sending', [`rollout.steps.${step}.sentAt`]: { $exists: false } } as const;
  await CampaignModel.updateOne(filter, { $set: { [`rollout.steps.${step}.sentAt`]: at, 'rollout.nextAt': new Date(until), ...before } });
  return { state: 'waits', until, held: null };
}

/** Checks a step and notes the result: what came since the check before. */
async function judge(campaign: Campaign, step: number, now: number): Promise<readonly RolloutFinding[]> {
  const { _id, projectId, rollout, startedAt } = campaign;
  const before = (rollout?.steps ?? []).slice(0, step).map(({ counts }) => counts);
  const counts = countsSince(await countTrouble(projectId, _id), before);
  const refused = campaign.testMode ? [] : await refusalsSince(projectId, startedAt ?? new Date(now));
  // Refusals by a provider that is held are part of its hold, which ends automatically.
  const findings = [...judgeStep(refused.length > 0 ? { ...counts, refused: 0 } : counts), ...refused];
  const noted = { [`rollout.steps.${step}.counts`]: counts, ...(findings.length > 0 && { [`rollout.steps.${step}.findings`]: findings }) };
  await pass({ _id, projectId }, step, noted, findings.length === 0 ? new Date(now) : null);
  return findings;
}

/** Lists providers that began to refuse the mail of the project since the launch. A hold from before it does not stop the others. */
async function refusalsSince(projectId: string, startedAt: Date): Promise<readonly RolloutFinding[]> {
  const holds = (await holdsOf(projectId)).filter(({ since }) => since !== null && since >= startedAt);
  return holds.map(({ provider, policy, reply }) => ({
    check: 'provider_refuses',
    what: `A provider refuses the mail: ${provider}.`,
    how: remedyOf(policy),
    detail: reply,
  }));
}

/** Notes what is known of a step; with an instant, that the next one may go out. A step that is passed stays so. */
const pass = async (
  { _id, projectId }: Pick<Campaign, '_id' | 'projectId'>,
  step: number,
  noted: object,
  at: Date | null,
): Promise<void> => {
  await CampaignModel.updateOne(
    { _id, projectId, status: 'sending', [`rollout.steps.${step}.passedAt`]: { $exists: false } },
    {
      $set: { ...noted, ...(at && { [`rollout.steps.${step}.passedAt`]: at }) },
      $unset: { 'rollout.nextAt': 1 },
    },
  );
};

/** Holds a campaign: until a person resumes it, or, where only providers refuse its mail, until their holds end or let a message through. */
async function hold(
  core: Core,
  { _id: campaignId, projectId }: Campaign,
  step: number,
  findings: readonly RolloutFinding[],
  now: number,
): Promise<RolloutChecked> {
  if (findings.some(({ check }) => check !== 'provider_refuses')) {
    await setHeldReason(campaignId, ROLLOUT_STOPPED);
    return { state: 'held', until: null, held: ROLLOUT_STOPPED };
  }
  const { nextAt: until } = await checkProviders(core, { projectId, campaignId }, now);
  if (until !== null) {
    await setHeldReason(campaignId, PROVIDER_REFUSES);
    return { state: 'held', until, held: PROVIDER_REFUSES };
  }
  await pass({ _id: campaignId, projectId }, step, {}, new Date(now));
  return PASSED;
}

/** Returns what a person who resumes a campaign changes in its rollout: a step that was stopped is passed. */
export const resumedStep = ({ rollout, heldReason }: Campaign, now: Date): object =>
  rollout && heldReason === ROLLOUT_STOPPED ? { [`rollout.steps.${currentStep(rollout)}.passedAt`]: now, heldReason: null } : {};

/** Returns the steps as they are asked for, of a campaign that is launched again. */
export const askedSteps = ({ rollout }: Campaign): readonly AskedStep[] | null =>
  rollout ? rollout.steps.map(({ percent, wait }) => ({ percent, wait })) : null;

/** A step as it is asked for. The shares grow to 100 percent, and the last step has no wait. */
export interface AskedStep {
  /** The share of the audience that is reached once the step is sent. */
  readonly percent: number;
  readonly wait: RolloutWait | null;
}

interface RolloutStep extends AskedStep {
  /** Its own recipients, once the audience is frozen. */
  readonly recipients?: number;
  /** When all of them were sent to: the wait begins. */
  readonly sentAt?: Date;
  /** Results of messages from the check of the step before until the check of this one. */
  readonly counts?: RolloutCounts;
  /** Why the rollout stopped after it; they stay when a person resumes it. */
  readonly findings?: readonly RolloutFinding[];
  /** When the way was free for the next step: its wait was over and nothing found, or a person resumed it. */
  readonly passedAt?: Date;
}

/** The steps in which a campaign is sent, and how far it is. */
export interface CampaignRollout {
  readonly steps: readonly RolloutStep[];
  /** When the next step begins, unless the check before it finds something; absent while none waits. */
  readonly nextAt?: Date;
}

/** Returns the index of the step that a rollout is at, from 0 on; the number of steps once all are passed. Steps without recipients are passed with the one before. */
export function currentStep({ steps }: CampaignRollout): number {
  const passed = steps.findLastIndex(({ passedAt }) => passedAt !== undefined);
  const next = steps.findIndex(({ recipients }, index) => index > passed && recipients !== 0);
  return next === -1 ? steps.length : next;
}
