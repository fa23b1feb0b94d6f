/**
 * The meaning of a mail system's words for the address: it is dead (`hard`), it is full or accepts no more for now (`soft`), or the words
 * are about us (`block`).
 */
type WordClass = 'hard' | 'soft' | 'block';

/** One kind of wording. */
export interface WordRule {
  readonly class: WordClass;
  readonly reason: string;
  /** Looked for in what `plainWords` returns. */
  readonly words: RegExp;
  /** Only with this enhanced code. */
  readonly status?: string;
  /** Public wordings that the rule is for. */
  readonly said: readonly string[];
}
