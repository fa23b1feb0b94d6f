/** The fields of one block, by their names in lower case; if a name occurs twice, the first one counts. */
export type ReportFields = ReadonlyMap<string, string>;

const MOST_BLOCKS = 100;
const FIELD = /^([!-9;-~]{1,76})[ \t]*:(.*)$/;

/** Reads blocks of header-like fields that blank lines part (RFC 3464 2.1, RFC 5965 2): at most 100. Lines that are no fields say nothing. */
export function readFieldBlocks(text: string): readonly ReportFields[] {
  const blocks: Map<string, string>[] = [];
  let block = new Map<string, string>();
  let name: string | null = null;
  for (const line of [...text.split(/\r\n|\r|\n/), '']) {
    const field = FIELD.exec(line);
    if (line.trim() === '') {
      if (block.size > 0) blocks.push(block);
      if (blocks.length === MOST_BLOCKS) return blocks;
      block = new Map();
      name = null;
    } else if (/^[ \t]/.test(line)) {
      if (name !== null) block.set(name, `${block.get(name)} ${line.trim()}`);
    } else {
      name = field ? nameOf(block, field) : null;
    }
  }
  return blocks;
}

function nameOf(block: Map<string, string>, [, given = '', value = '']: RegExpExecArray): string | null {
  const name = given.toLowerCase();
  if (block.has(name)) return null;
  block.set(name, value.trim());
  return name;
}
