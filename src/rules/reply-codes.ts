/** The codes in what a mail system said; null where it said none. */
export interface SaidCodes {
  /** The basic reply code (RFC 5321 4.2). */
  readonly code: number | null;
  /** The enhanced status code (RFC 3463). */
  readonly status: string | null;
}

const STATUS = /(?<![\d.\w])(?<![a-z_]-)([45]\.[0-7]\.\d{1,3})(?!\.?\d|\w)/i;
/** Matches a code followed by its status, at any position. */
const CODE_AND_STATUS = /(?<![\d.\w])([45][0-57]\d)[-\s:,]{1,4}[#("'[<]{0,2}([45]\.[0-7]\.\d{1,3})(?!\.?\d|\w)/;
/** Matches a code alone, only where replies begin: `Room 550 is closed` has none. */
const CODE =
  /(?:^[\s>*-]*|[;:("'[<>=»]\s?|\b(?:said|code|error|reply|response|status|smtp|replied|answered)\b\W{0,5})([45][0-57]\d)(?=[-\s:,.;)\]'"<]|$)/im;

/** Reads the first codes in a text: `550-5.1.1 ...`, `'550 5.1.1'`, `[550]`, `ERROR_CODE :550`, `(#5.1.1)`, an enhanced code alone. */
export function readCodes(text: string): SaidCodes {
  const [, code, status] = CODE_AND_STATUS.exec(text) ?? CODE.exec(text) ?? [];
  return { code: code === undefined ? null : Number(code), status: status ?? statusIn(text) };
}

/** Returns the first enhanced status code in a text, or null; what is part of an IP address or a longer number is none. */
export const statusIn = (text: string): string | null => STATUS.exec(text)?.[1] ?? null;
