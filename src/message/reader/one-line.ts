/** Returns a text of a mail as one line of limited length. */
export const oneLine = (text: string, length: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length);
