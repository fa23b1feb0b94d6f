import type { Context, ProjectFacts } from '../../platform/core';
import { invalid, invalidState } from '../../platform/core';
import type { LocalTimeLaunch, SendWindows, Timing } from '../../contracts/send-windows';
import { sampleSize } from '../../rules/ab-test';
import { hashOf } from '../../rules/campaign-ranges';
import { planFlight } from '../../rules/flight-plan';
import type { FlightPlan, PlannedGroup } from '../../rules/flight-plan';
import { spanMilliseconds } from '../../rules/automation/delay';
import { stepRows } from '../../rules/rollout';
import { earthDay } from '../../rules/send-windows';
import type { Since } from '../../rules/send-windows';
import { audiencePage, breakDownAudience } from './audience';
import type { Audience, AudiencePage, AudienceBreakdown } from './audience';
import { DEFAULT_SAMPLE_PERCENT, readCampaign } from './drafts';
import type { Campaign } from './model';
import type { AskedStep } from './rollout';
import { sendTimesAt } from './send-times';

/** A campaign starts, and is decided, at most this far ahead. */
export const HORIZON_MS = 365 * 86_400_000;
const NO_TIMING: Timing = { windows: null, localTime: null };

/** A launch at a reading of the clock, as it is asked for. */
export interface AskedLocalTime extends Omit<LocalTimeLaunch, 'fallback'> {
  /** Null for that of the windows, or UTC. */
  readonly fallback: string | null;
}

/** Returns the rules for the send times of a campaign's recipients; undefined if all are sent to at once. */
export function timingOf(
  project: Pick<ProjectFacts, 'windows'>,
  campaign: Pick<Campaign, 'windows'>,
  asked: AskedLocalTime | null,
): Timing | undefined {
  const windows: SendWindows | null = campaign.windows ?? project.windows ?? null;
  if (!windows && !asked) return undefined;
  return { windows, localTime: asked && { ...asked, fallback: asked.fallback ?? windows?.fallback ?? 'UTC' } };
}

/** Returns when a launch at a local time begins; null for now, where the first zones have passed it. Throws 422 when all have. */
export function beginOf(launch: Pick<LocalTimeLaunch, 'at'>, now: Date): Date | null {
  const { first, last } = earthDay(launch);
  if (last <= now.getTime()) throw invalid('scheduledFor', 'invalid_date', 'This local time has passed in every time zone');
  if (first > now.getTime() + HORIZON_MS) throw invalid('scheduledFor', 'invalid_date', 'Must be at most 365 days ahead');
  return first > now.getTime() ? new Date(first) : null;
}

/** The start of a campaign, as far as its send times depend on it. */
export interface Launch {
  readonly timing: Timing | undefined;
  readonly start: Date;
  readonly abDecideAt: Date | null;
  readonly throttlePerMinute: number | null;
  readonly rollout?: readonly AskedStep[] | null;
}

/** When each recipient would get a campaign, and why contacts of its audience never do. */
export interface CampaignFlight extends FlightPlan {
  readonly start: Date;
  readonly leftOut: AudienceBreakdown;
  /** Contacts that pause marketing mail at their send time. */
  readonly paused: number;
}

/** Plans a draft as it would be launched now, or a scheduled campaign as it will be. Changes nothing. Throws `not_found`, `invalid_state` for any other. */
export async function planCampaign(ctx: Context, id: string, launchOf: (draft: Campaign) => Promise<Launch>): Promise<CampaignFlight> {
  const campaign = await readCampaign(ctx, id);
  const { status, scheduledFor, abDecideAt, throttlePerMinute, timing } = campaign;
  if (status !== 'draft' && status !== 'scheduled')
    throw invalidState(`Only a draft or a scheduled campaign can be planned; this one is ${status}`);
  const launch =
    status === 'draft'
      ? await launchOf(campaign)
      : { timing, start: scheduledFor ?? new Date(), abDecideAt, throttlePerMinute, rollout: campaign.rollout?.steps ?? null };
  const now = new Date();
  const { groups, paused } = await groupsOf(ctx.project, campaign, launch, now);
  const plan = planFlight(launch.timing ?? NO_TIMING, groups, launch.throttlePerMinute);
  return { ...plan, start: launch.start, paused, leftOut: await breakDownAudience(ctx.project, campaign, now) };
}

/** Resolves to the last send time of an A/B test's sample, as if the sample were the whole audience. */
export async function lastSendTime(project: ProjectFacts, campaign: Campaign, timing: Timing, start: Date): Promise<Date> {
  const { groups } = await groupsOf(project, campaign, { timing, start, abDecideAt: null, throttlePerMinute: null }, new Date());
  const { hours } = planFlight(timing, groups, null);
  return new Date(Math.max(start.getTime(), ...hours.map(({ at }) => at)));
}

interface Member {
  readonly hash: number;
  readonly timezone: string | null;
  readonly snoozedUntil: Date | null;
}

async function groupsOf(
  project: ProjectFacts,
  campaign: Campaign,
  launch: Launch,
  now: Date,
): Promise<{ readonly groups: readonly PlannedGroup[]; readonly paused: number }> {
  const { timing = NO_TIMING, start } = launch;
  const begin = start.getTime();
  const first: Since = { start: begin, from: begin, now: begin };
  const tally = new Tally(timing);
  const stages = stagesOf(campaign, launch);
  if (!stages) {
    for await (const members of membersOf(project, campaign, now)) for (const member of members) tally.add(member, first);
    return tally.result();
  }
  const all: Member[] = [];
  for await (const members of membersOf(project, campaign, now)) all.push(...members);
  const members = all.sort((a, b) => a.hash - b.hash);
  let done = 0;
  for (const { rows, from } of stages(all.length)) {
    const since: Since = { ...first, from };
    for (const member of members.slice(done, done + rows)) tally.add(member, since);
    done += rows;
  }
  return tally.result();
}

/** Recipients, in the random order of the audience, who wait until the same instant. */
interface PlannedStage {
  readonly rows: number;
  readonly from: number;
}

/** Returns how an audience of a size is divided; null where all are sent to at once. */
function stagesOf(
  { abSubjectB, abSamplePct }: Campaign,
  { start, abDecideAt, rollout }: Launch,
): ((total: number) => readonly PlannedStage[]) | null {
  const begin = start.getTime();
  if (rollout) return (total) => plannedSteps(rollout, total, begin);
  if (abSubjectB === null || !abDecideAt) return null;
  return (total) => {
    const sample = sampleSize(total, abSamplePct ?? DEFAULT_SAMPLE_PERCENT);
    return [
      { rows: sample, from: begin },
      { rows: total - sample, from: Math.max(begin, abDecideAt.getTime()) },
    ];
  };
}

/** Returns the steps of a rollout as they are planned: each begins after the waits of those before it. */
function plannedSteps(rollout: readonly AskedStep[], total: number, begin: number): readonly PlannedStage[] {
  const percents = rollout.map(({ percent }) => percent);
  const rows = stepRows(total, percents);
  let from = begin;
  return rollout.map(({ wait }, index) => {
    const stage = { rows: rows[index] ?? 0, from };
    if (wait && stage.rows > 0) from += spanMilliseconds(wait);
    return stage;
  });
}

async function* membersOf(project: ProjectFacts, campaign: Campaign, now: Date): AsyncGenerator<readonly Member[]> {
  const audience: Audience = campaign;
  for (let after: string | null = ''; after !== null;) {
    const { members, next }: AudiencePage = await audiencePage(project, audience, now, after, { timezone: 1, snoozedUntil: 1 });
    yield members.map(({ _id, timezone = null, snoozedUntil = null }) => ({ hash: hashOf(campaign._id, _id), timezone, snoozedUntil }));
    after = next;
  }
}

/** Counts members by zone, without those who pause marketing mail at their send time. */
class Tally {
  private readonly groups = new Map<string, { timezone: string | null; since: Since; count: number }>();
  private readonly sendTimes = new Map<Since, ReturnType<typeof sendTimesAt>>();
  private paused = 0;

  constructor(private readonly timing: Timing) {}

  add({ timezone, snoozedUntil }: Member, since: Since): void {
    if (snoozedUntil !== null && this.isPaused(snoozedUntil, timezone, since)) {
      this.paused += 1;
      return;
    }
    const key = `${since.from} ${timezone ?? ''}`;
    const known = this.groups.get(key);
    if (known) known.count += 1;
    else this.groups.set(key, { timezone, since, count: 1 });
  }

  result(): { readonly groups: readonly PlannedGroup[]; readonly paused: number } {
    return { groups: [...this.groups.values()], paused: this.paused };
  }

  private isPaused(until: Date, timezone: string | null, since: Since): boolean {
    let sendTimeOf = this.sendTimes.get(since);
    if (!sendTimeOf) this.sendTimes.set(since, (sendTimeOf = sendTimesAt(this.timing, since)));
    const sendTime = sendTimeOf(timezone);
    return 'at' in sendTime && sendTime.at < until.getTime();
  }
}
