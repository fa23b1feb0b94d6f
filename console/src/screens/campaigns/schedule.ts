import type { Schemas } from '../../parts/api.ts';

type Shown = Schemas['ShownSchedule'];
type Recurring = Pick<Schemas['Campaign'], 'schedule' | 'status'>;

export type Kind = 'rrule' | 'cron';

/** The schedule of a recurring campaign, as it is edited. */
export interface Schedule {
  readonly kind: Kind;
  readonly rule: string;
  readonly timezone: string;
  /** An instant; empty for no end. */
  readonly until: string;
  /** Empty for no limit. */
  readonly count: string;
  readonly catchUp: Shown['catchUp'];
}

/** Rules to begin with, by their kind. */
export const PRESETS: Readonly<Record<Kind, readonly (readonly [rule: string, label: string])[]>> = {
  rrule: [
    ['FREQ=DAILY;BYHOUR=9;BYMINUTE=0', 'Every day at 9:00'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0', 'Monday to Friday at 9:00'],
    ['FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0', 'Every Tuesday at 9:00'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=9;BYMINUTE=0', 'Every second Tuesday at 9:00'],
    ['FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0', 'First day of each month at 9:00'],
    ['FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0', 'Last Friday of each month at 9:00'],
  ],
  cron: [
    ['0 9 * * *', 'Every day at 9:00'],
    ['0 9 * * 1-5', 'Monday to Friday at 9:00'],
    ['0 9 * * 2', 'Every Tuesday at 9:00'],
    ['0 9 1 * *', 'First day of each month at 9:00'],
  ],
};

/** The preset of a new schedule, in either list. */
const WEEKLY = 2;

/** Returns the schedule that a kind of rule begins with: every Tuesday. */
export const newSchedule = (kind: Kind, timezone: string): Schedule => ({
  kind,
  rule: PRESETS[kind][WEEKLY]?.[0] ?? '',
  timezone,
  until: '',
  count: '',
  catchUp: 'latest',
});

export const writtenSchedule = ({ rrule, cron, timezone, until, count, catchUp }: Shown): Schedule => ({
  kind: cron === undefined ? 'rrule' : 'cron',
  rule: cron ?? rrule ?? '',
  timezone,
  until: until ?? '',
  count: count === null ? '' : String(count),
  catchUp,
});

/** Returns the same values as the API takes them. */
export const scheduleBody = ({ kind, rule, timezone, until, count, catchUp }: Schedule): Schemas['CampaignSchedule'] => ({
  ...(kind === 'rrule' ? { rrule: rule.trim() } : { cron: rule.trim() }),
  timezone,
  catchUp,
  until: until === '' ? null : until,
  count: count === '' ? null : Number(count),
});

/** Returns a schedule in words where it is a preset; otherwise its rule. */
export function scheduleWords({ rrule, cron, timezone }: Shown): string {
  const rule = cron ?? rrule ?? '';
  const [, label = rule] = PRESETS[cron === undefined ? 'rrule' : 'cron'].find(([preset]) => preset === rule) ?? [];
  return `${label} (${timezone})`;
}

/** Returns whether a campaign is a series that was started: its turns have the recipients and the figures. */
export const isSeries = ({ schedule, status }: Recurring): boolean => schedule !== undefined && status !== 'draft';

/** Returns whether a series still has turns to come: its content can change for them. */
export const isRunningSeries = (campaign: Recurring): boolean => isSeries(campaign) && campaign.status === 'sending';
