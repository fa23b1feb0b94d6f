import { ABOUT_US } from './about-us';
import { MAILBOX } from './mailbox';
import { MAILBOX_ELSEWHERE } from './mailbox-elsewhere';
import { plainWords } from './plain-words';
import { FOR_NOW, ROOM } from './room';
import type { WordRule } from './rule';

export { plainWords } from './plain-words';
export type { WordRule } from './rule';

/** A rule for one enhanced code knows more than rules for words alone. */
const ofOneCode = MAILBOX.filter(({ status }) => status !== undefined);

/** The wordings of refusals; the first that fits decides. */
export const REFUSAL_WORDS: readonly WordRule[] = [...ofOneCode, ...ABOUT_US, ...FOR_NOW, ...MAILBOX, ...MAILBOX_ELSEWHERE, ...ROOM];

const LENGTH = 2_000;

/** Returns the rule for a mail system's words, with the enhanced code that it gave; null if no rule matches. */
export function ruleFor(said: string, enhanced: string | null): WordRule | null {
  const words = plainWords(said.slice(0, LENGTH));
  return REFUSAL_WORDS.find((rule) => (rule.status === undefined || rule.status === enhanced) && rule.words.test(words)) ?? null;
}
