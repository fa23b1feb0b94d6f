import { hostName } from './answers';
import type { Answer, Verdict } from './answers';

/** Looks the texts at a name up. */
export type LookUp = (name: string) => Promise<Answer<string>>;

/** RFC 7208 4.6.4: with more terms that ask DNS, a record is an error to receivers. */
const MOST_LOOKUPS = 10;
const MECHANISM = /^([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?:[:/](.*))?$/i;
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
const ASKS_DNS: ReadonlySet<string> = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);

interface Term {
  /** Name of a mechanism, or `redirect` for that modifier; others have no meaning here. */
  readonly name: string;
  /** Whether a match is a pass. */
  readonly passes: boolean;
  readonly target: string;
}

function termOf(text: string): Term | null {
  const [, qualifier = '', name, target = ''] = MECHANISM.exec(text) ?? [];
  if (name !== undefined) return { name: name.toLowerCase(), passes: qualifier === '' || qualifier === '+', target: hostName(target) };
  const [, modifier, value = ''] = MODIFIER.exec(text) ?? [];
  return modifier === undefined ? null : { name: modifier.toLowerCase(), passes: true, target: hostName(value) };
}

/** Returns what a record tests, in that order: nothing behind `all` is checked, and `redirect` only where there is no `all` (RFC 7208 5.1, 6.1). */
function termsOf(record: string): readonly Term[] | null {
  const terms = record.split(/ +/).slice(1).filter(Boolean).map(termOf);
  if (terms.some((term) => term === null)) return null;
  const known = terms as Term[];
  const end = known.findIndex(({ name }) => name === 'all');
  const tested = (end < 0 ? known : known.slice(0, end)).filter(({ name }) => name !== 'redirect');
  return end < 0 ? [...tested, ...known.filter(({ name }) => name === 'redirect')] : tested;
}

const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text);

interface Walk {
  readonly include: string;
  readonly lookUp: LookUp;
  left: number;
}

const leads = ({ name, passes }: Term): boolean => (name === 'include' && passes) || name === 'redirect';

/** Returns the terms of the one SPF record among the texts at a name. */
function evaluated(answer: Answer<string>): readonly Term[] | null {
  const records = answer.said === 'found' ? answer.records.filter(isSpf) : [];
  return records.length === 1 ? termsOf(records[0] ?? '') : null;
}

/** Resolves to whether evaluating the record comes to the include. Terms are taken in order, so what is reached is what a receiver would reach. */
async function reaches(walk: Walk, answer: Answer<string>): Promise<Verdict> {
  if (answer.said === 'unknown') return 'unknown';
  let verdict: Verdict = 'wrong';
  for (const term of evaluated(answer) ?? []) {
    if (!ASKS_DNS.has(term.name)) continue;
    if (--walk.left < 0) return verdict;
    if (!leads(term)) continue;
    if (term.target === walk.include) return 'verified';
    const inner = await follow(walk, term.target);
    if (inner === 'verified') return 'verified';
    if (inner === 'unknown') verdict = 'unknown';
  }
  return verdict;
}

/** Follows a target, unless it holds a macro, whose value differs with each message. */
async function follow(walk: Walk, target: string): Promise<Verdict> {
  return target === '' || target.includes('%') ? 'wrong' : reaches(walk, await walk.lookUp(target));
}

/**
 * Judges whether the name holds exactly one SPF record, and that includes `include` or reaches it through records of others within ten lookups (RFC 7208).
 * `answer` is what is at the name; further names are asked for only where the record does not name the include itself.
 */
export function judgeSpf(answer: Answer<string>, include: string, lookUp: LookUp): Promise<Verdict> {
  const walk = { include: hostName(include), lookUp, left: MOST_LOOKUPS };
  const isNamed = evaluated(answer)?.some((term) => leads(term) && term.target === walk.include) ?? false;
  return isNamed ? Promise.resolve('verified') : reaches(walk, answer);
}
