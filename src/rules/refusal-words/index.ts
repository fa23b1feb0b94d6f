import { ABOUT_US } from './about-us';
import { MAILBOX } from './mailbox';
import { MAILBOX_ELSEWHERE } from './mailbox-elsewhere';
import { FOR_NOW, ROOM } from './room';
import type { WordRule } from './rule';

const OWN_SENDER = /<?\bb\+[\w-]{1,64}@[\w.-]+>?/g;
const ADDRESS = /<?[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]+>?/g;
const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"')\]]+/gi;
/** All lower case behind the first dot, or all capitals: `Unknown.Please` is a lost blank, and `RESOLVER.ADR.RecipNotFound` no host. */
const HOST = /\b[\w-]{1,63}(?:(?:\.[a-z0-9_-]{1,63}){0,8}\.[a-z]{2,24}|(?:\.[A-Z0-9_-]{1,63}){1,8}\.[A-Z]{2,24})\b\.?(?![\w@])/g;
/** Each further line of a reply begins with its code. */
const FURTHER_CODE = /\s[45][0-5]\d(?:-|\s)(?:[45]\.\d{1,3}\.\d{1,3}\s)?/g;

/**
 * Returns the words of a text in the form that rules match: lower case, without accents, on one line. `@` replaces an address, `%` a host
 * or a link, and our own envelope sender becomes the word sender.
 */
export const plainWords = (text: string): string =>
  text
    .replace(OWN_SENDER, ' sender @ ')
    .replace(LINK, ' % ')
    .replace(ADDRESS, ' @ ')
    .replace(HOST, ' % ')
    .replace(FURTHER_CODE, ' ')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[\u2018\u2019\u00b4`]/g, "'")
    .replace(/[\s\u3000]+/g, ' ');

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
