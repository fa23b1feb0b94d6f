export const LEVELS = ['block', 'warn', 'ok'] as const;
type Level = (typeof LEVELS)[number];

export const CHECKS = [
  'sending_domain',
  'dmarc',
  'one_click_unsubscribe',
  'complaint_rate',
  'audience',
  'volume',
  'placeholders',
  'languages',
  'translations',
  'subject',
  'postal_address',
  'unsubscribe_link',
  'links',
  'images',
  'text',
  'size',
  'client_support',
  'rendering',
  'spam_words',
  'spam_score',
] as const;
export type Check = (typeof CHECKS)[number];

/** The result of a check before a launch, and what to do about it. */
export interface Finding {
  readonly check: Check;
  readonly level: Level;
  readonly what: string;
  readonly how: string;
  /** The paths or figures that it is about. */
  readonly detail?: string;
  /** The languages of the contents that it is about, null for the default; absent if it holds for all. */
  readonly languages?: readonly (string | null)[];
}

/** Nothing is to be done about what is as it should be. */
const NOTHING_TO_DO = 'Nothing to do.';

export const fine = (check: Check, what: string, detail?: string): Finding => ({
  check,
  level: 'ok' as const,
  what,
  how: NOTHING_TO_DO,
  ...(detail !== undefined && { detail }),
});

export const found = (level: 'block' | 'warn', check: Check, what: string, how: string, detail?: string): Finding => ({
  check,
  level,
  what,
  how,
  ...(detail !== undefined && { detail }),
});

const MOST_NAMED = 10;

/** Lists the first of many things. */
export function listed(things: readonly string[], separator = '; '): string {
  const rest = things.length - MOST_NAMED;
  return [...things.slice(0, MOST_NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(separator);
}
