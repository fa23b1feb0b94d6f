import type { ExportFile } from './archive.ts';

const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;
/** Sizes of the records of APPNOTE.TXT before their names. */
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
/** An archive that would fill the memory is no export. */
const MOST_BYTES = 1_073_741_824;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

const broken = (): SyntaxError => new SyntaxError('The archive cannot be read: unpack it, and select its files');

/** Finds the end of the central directory, which a comment may follow. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  throw broken();
}

/** Yields the entries of the central directory. */
function* entriesOf(bytes: Uint8Array, view: DataView): Generator<Entry, void, undefined> {
  const end = endOf(view);
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY) throw broken();
    const [nameLength, extra, comment] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
    yield {
      name: new TextDecoder().decode(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength)),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    };
    at += ENTRY_BYTES + nameLength + extra + comment;
  }
}

async function textOf(bytes: Uint8Array, view: DataView, { method, packed, at }: Entry): Promise<string> {
  const start = at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const content = new Blob([bytes.slice(start, start + packed)]);
  if (method === STORED) return content.text();
  if (method !== DEFLATED) throw broken();
  return new Response(content.stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}

const isFile = ({ name }: Entry): boolean => !name.endsWith('/') && !/(^|\/)(\.|__MACOSX\/)/.test(name);

/** Resolves to the files in a ZIP archive (APPNOTE.TXT; without encryption and ZIP64). Throws a `SyntaxError`. */
export async function unpacked(bytes: Uint8Array): Promise<readonly ExportFile[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const entries = [...entriesOf(bytes, view)].filter(isFile);
    if (entries.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) throw broken();
    return await Promise.all(entries.map(async (entry) => ({ name: entry.name, text: await textOf(bytes, view, entry) })));
  } catch {
    throw broken();
  }
}
