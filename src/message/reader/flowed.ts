const SIGNATURE = '-- ';

interface Line {
  readonly quoted: number;
  readonly text: string;
}

function lineOf(line: string): Line {
  const quoted = /^>*/.exec(line)?.[0].length ?? 0;
  const rest = line.slice(quoted);
  return { quoted, text: rest.startsWith(' ') ? rest.slice(1) : rest };
}

/** Puts the lines of `format=flowed` text together to paragraphs (RFC 3676), each with the marks of its quotation. */
export function unflow(text: string, delSp: boolean): string {
  const paragraphs: string[] = [];
  let open: { readonly quoted: number; readonly pieces: string[] } | null = null;
  const close = (): void => {
    if (open) paragraphs.push(`${open.quoted > 0 ? `${'>'.repeat(open.quoted)} ` : ''}${open.pieces.join('')}`);
    open = null;
  };
  for (const line of text.split('\n')) {
    const { quoted, text: words } = lineOf(line);
    if (open && (open.quoted !== quoted || words === SIGNATURE)) close();
    const flows = words.endsWith(' ') && words !== SIGNATURE;
    open ??= { quoted, pieces: [] };
    open.pieces.push(flows && delSp ? words.slice(0, -1) : words);
    if (!flows) close();
  }
  close();
  return paragraphs.join('\n');
}
