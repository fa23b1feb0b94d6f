/** Returns the SHA-256 of a text in UTF-8, as hexadecimal digits. Given from outside: a rule imports nothing of Node. */
export type Sha256 = (text: string) => string;

/** Returns the hash of an entry of a chain: of what it says and of the previous entry's hash, which is null for the first one. */
export const linkedHash = (previous: string | null, members: readonly unknown[], sha256: Sha256): string =>
  sha256(JSON.stringify([previous, ...members]));
