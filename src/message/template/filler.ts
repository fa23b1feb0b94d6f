/** Characters without a shape, with which a preview is padded. */
const FILLER = /[\u034f\u00ad\u180e\u200b-\u200f\u2060\ufeff]+/g;
/** They matter wherever they stand alone. */
const DIRECTION_MARKS = /^[\u200e\u200f]+$/;
const NON_JOINER = '\u200c';
const JOINER = '\u200d';

/** Scripts in which joiners are part of how a word is written. */
const JOINING = 'Arab Syrc Mong Nkoo Mand Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const AFTER_JOINING = new RegExp(`[${JOINING}]$`, 'u');
const BEFORE_JOINING = new RegExp(`^[${JOINING}]`, 'u');
const AFTER_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;
const BEFORE_EMOJI = /^\p{Extended_Pictographic}/u;

function isSpelling(run: string, before: string, after: string): boolean {
  if (DIRECTION_MARKS.test(run)) return true;
  if (run === NON_JOINER) return AFTER_JOINING.test(before) && BEFORE_JOINING.test(after);
  return run === JOINER && (AFTER_JOINING.test(before) || (AFTER_EMOJI.test(before) && BEFORE_EMOJI.test(after)));
}

/** Drops filler characters; joiners stay where a word or an emoji is made of them, direction marks where they stand alone. */
export const withoutFiller = (text: string): string =>
  text.replace(FILLER, (run: string, at: number) => {
    const end = at + run.length;
    return isSpelling(run, text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)) ? run : '';
  });
