/** The action after a provider gave replies of a kind often enough. */
export interface ReplyRule {
  /** A pattern that `patternFault` finds no fault in. */
  readonly reply: string;
  readonly times: number;
  readonly withinMinutes: number;
  /** `suspend`: no mail for a while; `rate`: less for a while; `hold`: the campaigns of the project are held for the provider. */
  readonly do: 'suspend' | 'rate' | 'hold';
  readonly forMinutes?: number | undefined;
  readonly perMinute?: number | undefined;
}

/** Limits of a worker for a provider. */
export interface ProviderRule {
  readonly provider: string;
  /** Messages on the wire at the same time. */
  readonly connections?: number | undefined;
  /** Over `direct:`, a connection is closed after these. */
  readonly messagesPerConnection?: number | undefined;
  readonly perMinute?: number | undefined;
  readonly on: readonly ReplyRule[];
}

/** Replies are matched up to this length. */
const MATCHED = 300;
const LONGEST = 200;
/** More of these in one pattern let some texts take long. */
const [MOST_OPEN, MOST_BOUNDED] = [2, 4];

/** Returns why a pattern may take long on some text, or is none; null when it may be used. Groups are for alternatives, and are not repeated. */
export function patternFault(pattern: string): string | null {
  if (pattern.length > LONGEST) return `must be no longer than ${LONGEST} characters`;
  const bare = pattern.replace(/\\[^1-9kpP]/g, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x');
  if (/\\/.test(bare)) return 'must not refer to groups or properties';
  if (/\(\?(?!:)/.test(bare)) return 'must not look ahead or behind';
  if (/\)[*+?{]/.test(bare)) return 'must not repeat a group';
  const plain = bare.replaceAll('(?:', '(');
  if ((plain.match(/[*+]|\{\d+,\}/g) ?? []).length > MOST_OPEN) return `must have no more than ${MOST_OPEN} of * and +`;
  if ((plain.match(/\?|\{\d+(,\d+)?\}/g) ?? []).length > MOST_BOUNDED) return `must have no more than ${MOST_BOUNDED} of ? and {n}`;
  try {
    new RegExp(pattern);
    return null;
  } catch {
    return 'must be a regular expression';
  }
}

/** Returns how a pattern is looked for in replies, in any case of letters. */
export function matcherOf(pattern: string): (reply: string) => boolean {
  const regex = new RegExp(pattern, 'i');
  return (reply) => regex.test(reply.slice(0, MATCHED));
}
