import type { CapSource, FrequencyCap, SendOnce, Throttle } from '../contracts/frequency-cap';
import { spanMilliseconds } from './automation/delay';
import type { PersonLimit } from './person-limits';

/** A message, as far as it decides which limits hold for it. */
export interface LimitedMail {
  readonly type: 'transactional' | 'marketing';
  readonly source: CapSource;
  readonly topicId: string | null;
  readonly testMode: boolean;
  readonly sendOnce?: SendOnce | null | undefined;
  readonly throttle?: Throttle | null | undefined;
  /** It neither waits for a frequency cap nor counts in one. */
  readonly ignoresCaps?: boolean | undefined;
}

const UNITS = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks' } as const;

/** Matches a length of time: a whole number and the first letter of its unit, as in `90s`, `24h` and `2w`. */
export const LENGTH = /^(?:[1-9]\d{0,6}[sm]|[1-9]\d{0,3}h|[1-9]\d{0,2}d|[1-9]\d?w)$/;

/** Returns a length of time in milliseconds. Throws for anything that `LENGTH` does not match. */
export function lengthMs(text: string): number {
  if (!LENGTH.test(text)) throw new Error('Not a length of time');
  return spanMilliseconds({ amount: Number(text.slice(0, -1)), unit: UNITS[text.slice(-1) as keyof typeof UNITS] });
}

/** The key of a throttle that has none of its own. */
const NO_KEY = 'default';

/** For how long a message waits for a cap that does not say it. */
const WAIT_MS = 7 * 24 * 3_600_000;

const NONE: readonly PersonLimit[] = [];

/** Lists the limits that hold for a message. Frequency caps are for live marketing mail; what a test key sends is limited apart. */
export function limitsOf(mail: LimitedMail, caps: readonly FrequencyCap[] = []): readonly PersonLimit[] {
  const limits = [
    ...onceOf(mail),
    ...throttleOf(mail),
    ...(isCapped(mail) ? caps.filter((cap) => isFor(cap, mail)).map(limitOfCap) : NONE),
  ];
  return mail.testMode ? limits.map((limit) => ({ ...limit, key: `test/${limit.key}` })) : limits;
}

const onceOf = ({ sendOnce }: LimitedMail): readonly PersonLimit[] =>
  sendOnce ? [{ key: `once/${sendOnce.key}`, max: 1, ms: sendOnce.within === undefined ? null : lengthMs(sendOnce.within) }] : NONE;

const throttleOf = ({ throttle }: LimitedMail): readonly PersonLimit[] =>
  throttle ? [{ key: `throttle/${throttle.key ?? NO_KEY}`, max: 1, ms: lengthMs(throttle.every) }] : NONE;

const isCapped = ({ type, testMode, ignoresCaps = false }: LimitedMail): boolean => type === 'marketing' && !testMode && !ignoresCaps;

const isFor = ({ appliesTo: { topics, sources } = {} }: FrequencyCap, { topicId, source }: LimitedMail): boolean =>
  (topics === undefined || (topicId !== null && topics.includes(topicId))) && (sources === undefined || sources.includes(source));

const limitOfCap = (cap: FrequencyCap): PersonLimit => ({
  key: `cap/${cap.name}`,
  max: cap.max,
  ms: spanMilliseconds(cap.per),
  ...(cap.whenReached === 'wait' && { waitMs: waitOf(cap) }),
});

const waitOf = ({ waitUpTo }: FrequencyCap): number => (waitUpTo ? spanMilliseconds(waitUpTo) : WAIT_MS);

/** Returns for how long mail that is accepted now may wait, in milliseconds: what it is made of is kept until then. */
export const longestWaitOf = (type: LimitedMail['type'], caps: readonly FrequencyCap[] = []): number =>
  type === 'marketing' ? Math.max(0, ...caps.filter(({ whenReached }) => whenReached === 'wait').map(waitOf)) : 0;
