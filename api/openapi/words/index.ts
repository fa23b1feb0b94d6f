import { COMPONENTS } from './components';
import { CONTACT_WORDS } from './contacts';
import { MAIL_WORDS } from './mail';
import { PLATFORM_WORDS } from './platform';
import { SHARED_WORDS } from './shared';

const WORDS: Readonly<Record<string, string>> = { ...SHARED_WORDS, ...CONTACT_WORDS, ...MAIL_WORDS, ...PLATFORM_WORDS, ...COMPONENTS };

/** All names that have a word here, for the check that none is left over. */
export const WORD_NAMES: readonly string[] = Object.keys(WORDS);

/** Returns what a property means: in its component, `Campaign.status`, or wherever it is, `createdAt`. Of a component itself under its own name. */
export const wordFor = (name: string, owner?: string): string | undefined => WORDS[`${owner}.${name}`] ?? WORDS[name];
