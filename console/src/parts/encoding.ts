/** The forms of UTF-16, by the bytes that their files begin with. */
const UTF_16: Readonly<Record<string, string>> = { '255,254': 'utf-16le', '254,255': 'utf-16be' };

const utf16Of = async (file: Blob): Promise<string | undefined> => UTF_16[new Uint8Array(await file.slice(0, 2).arrayBuffer()).join(',')];

async function isUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = file.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) decoder.decode(part.value, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  } finally {
    await reader.cancel();
  }
}

/** Letters that UTF-8 wrote: the file has single rows in another encoding, and the import names them. */
const isPartlyUtf8 = (bytes: ArrayBuffer): boolean =>
  /[^\p{ASCII}\uFFFD]/u.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));

/** A file as imports take it, and whether it had to be read as Windows-1252, which Excel writes in Western languages. */
export interface Readable {
  readonly file: File;
  readonly wasWindows: boolean;
}

/** Resolves to a file in UTF-8. What is neither that nor UTF-16 is taken for Windows-1252. */
export async function readable(file: File): Promise<Readable> {
  const utf16 = await utf16Of(file);
  if (utf16 === undefined && (await isUtf8(file))) return { file, wasWindows: false };
  const bytes = await file.arrayBuffer();
  if (utf16 === undefined && isPartlyUtf8(bytes)) return { file, wasWindows: false };
  const text = new TextDecoder(utf16 ?? 'windows-1252').decode(bytes);
  const { name, type, lastModified } = file;
  return { file: new File([text], name, { type, lastModified }), wasWindows: utf16 === undefined };
}
