const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
] as const;

async function isUtf16(file: Blob): Promise<boolean> {
  const beginning = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return UTF_16.some((mark) => mark.every((byte, at) => beginning[at] === byte));
}

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

/** A file as the import takes it, and whether it had to be read as Windows-1252, which Excel writes in Western languages. */
export interface Readable {
  readonly file: File;
  readonly wasWindows: boolean;
}

/** Resolves to a file in UTF-8 or UTF-16. What is neither is taken for Windows-1252, and becomes UTF-8. */
export async function readable(file: File): Promise<Readable> {
  if ((await isUtf16(file)) || (await isUtf8(file))) return { file, wasWindows: false };
  const bytes = await file.arrayBuffer();
  if (isPartlyUtf8(bytes)) return { file, wasWindows: false };
  const text = new TextDecoder('windows-1252').decode(bytes);
  return { file: new File([text], file.name, { type: file.type, lastModified: file.lastModified }), wasWindows: true };
}
