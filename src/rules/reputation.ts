/** From harmless to worst. */
const STATES = ['ok', 'warn', 'throttled', 'paused'] as const;
const WINDOWS = ['24h', '7d', 'all'] as const;

type ReputationState = (typeof STATES)[number];
export type ReputationWindow = (typeof WINDOWS)[number];

export const WARN_BOUNCE_RATE = 0.05;

/** From the worst down: the shares of hard bounces and of complaints in what was sent, from which on a state holds. */
const THRESHOLDS = [
  { state: 'paused', bounceRate: 0.1, complaintRate: 0.005 },
  { state: 'throttled', bounceRate: 0.08, complaintRate: 0.003 },
  { state: 'warn', bounceRate: WARN_BOUNCE_RATE, complaintRate: 0.001 },
] as const;

const DAY_MS = 24 * 60 * 60 * 1000;
const NEW_PROJECT_MS = 30 * DAY_MS;
const FLOOR = 500;
const NEW_PROJECT_FLOOR = 100;

/** Length of each window; null = unlimited. */
export const WINDOW_MS: Readonly<Record<ReputationWindow, number | null>> = { '24h': DAY_MS, '7d': 7 * DAY_MS, all: null };

/** Counts within a span of time. */
export interface WindowCounts {
  readonly sent: number;
  /** Hard bounces. */
  readonly bounced: number;
  readonly complained: number;
}

interface WindowReputation extends WindowCounts {
  /** 0 to 1. */
  readonly bounceRate: number;
  readonly complaintRate: number;
  readonly state: ReputationState;
}

/** The reception of a project's mail, according to the worst of its windows. */
export interface Reputation {
  readonly state: ReputationState;
  /** The window that decides: the worst, of equals the shortest. The rates and the volume are its. */
  readonly window: ReputationWindow;
  readonly bounceRate: number;
  readonly complaintRate: number;
  readonly volume: number;
  /** Messages below which a window says nothing. */
  readonly floor: number;
  readonly windows: Readonly<Record<ReputationWindow, WindowReputation>>;
}

/** Returns the number of messages below which a window of a project of this age is `ok`. */
export const reputationFloor = (projectCreatedAt: Date, now: Date): number =>
  now.getTime() - projectCreatedAt.getTime() < NEW_PROJECT_MS ? NEW_PROJECT_FLOOR : FLOOR;

/** Returns the state of each window and of the project, whose state is that of its worst window (specification, Billing). */
export function judgeReputation(counts: Readonly<Record<ReputationWindow, WindowCounts>>, floor: number): Reputation {
  const windows = {
    '24h': judgeWindow(counts['24h'], floor),
    '7d': judgeWindow(counts['7d'], floor),
    all: judgeWindow(counts.all, floor),
  };
  const window = WINDOWS.reduce((worst, name) => (severity(windows[name]) > severity(windows[worst]) ? name : worst));
  const { state, bounceRate, complaintRate, sent } = windows[window];
  return { state, window, bounceRate, complaintRate, volume: sent, floor, windows };
}

const severity = ({ state }: WindowReputation): number => STATES.indexOf(state);

function judgeWindow({ sent, bounced, complained }: WindowCounts, floor: number): WindowReputation {
  const bounceRate = sent > 0 ? bounced / sent : 0;
  const complaintRate = sent > 0 ? complained / sent : 0;
  const reached = THRESHOLDS.find((threshold) => bounceRate >= threshold.bounceRate || complaintRate >= threshold.complaintRate);
  return { sent, bounced, complained, bounceRate, complaintRate, state: sent >= floor && reached ? reached.state : 'ok' };
}

/** Explains in words why a project is not `ok`; null when it is. */
export function reputationReason({ state, window, bounceRate, complaintRate, volume }: Reputation): string | null {
  if (state === 'ok') return null;
  const span = window === 'all' ? 'since the beginning' : `in the last ${window}`;
  return `${percent(bounceRate)} hard bounces and ${percent(complaintRate)} complaints of ${volume} messages ${span}`;
}

const percent = (rate: number): string => `${(rate * 100).toFixed(2)} %`;
