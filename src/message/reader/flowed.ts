const SIGNATURE = '-- ';
const MOST_UNCOPIED = 65_536;

interface Line {
  /** The marks of its quotation. */
  readonly marks: string;
  readonly words: string;
  /** Where the next one begins. */
  readonly next: number;
}

function lineAt(text: string, at: number): Line {
  const found = text.indexOf('\n', at);
  const end = found === -1 ? text.length : found;
  let start = at;
  while (text[start] === '>') start++;
  return { marks: text.slice(at, start), words: text.slice(text[start] === ' ' ? start + 1 : start, end), next: end + 1 };
}

/** Puts the lines of `format=flowed` text together to paragraphs (RFC 3676), each with the marks of its quotation. */
export function unflow(text: string, delSp: boolean): string {
  const copied: string[] = [];
  let put = '';
  let flowing: string | null = null;
  for (let at = 0; at <= text.length;) {
    const { marks, words, next } = lineAt(text, at);
    const flows = words.endsWith(' ') && words !== SIGNATURE;
    const isNew = flowing !== marks || words === SIGNATURE;
    put += `${isNew ? beginning(marks, at) : ''}${flows && delSp ? words.slice(0, -1) : words}`;
    flowing = flows ? marks : null;
    if (put.length > MOST_UNCOPIED) {
      copied.push(copyOf(put));
      put = '';
    }
    at = next;
  }
  return copied.join('') + put;
}

const beginning = (marks: string, at: number): string => `${at === 0 ? '' : '\n'}${marks}${marks === '' ? '' : ' '}`;

/** Text that was put together piece by piece takes ten times its memory until it is copied. */
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
