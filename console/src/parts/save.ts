/** The browser has taken the file by then. */
const TAKEN_MS = 60_000;

/** Saves a file on the reader's machine. */
export function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), TAKEN_MS);
}
