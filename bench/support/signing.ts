import path from 'node:path';

const SIGNED = {} as const;
const UNSIGNED = { NODE_OPTIONS: `--require ${path.join(__dirname, 'without-rsa.cjs')}` } as const;

/** Returns environment of a worker that signs its mail with RSA, or leaves the RSA out of its signatures. */
export const signing = (dkim: boolean): Readonly<Record<string, string>> => (dkim ? SIGNED : UNSIGNED);
