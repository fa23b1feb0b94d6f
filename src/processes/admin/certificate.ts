import { createReadStream } from 'node:fs';
import { sha256 } from '../../platform/core';
import { CertificateCheck } from '../../rules/certificate';
import { UsageError } from './arguments';
import type { Command } from './command';

/** A line of a certificate is much shorter. */
const LONGEST_LINE = 65_536;

/** Reads the lines of a file with their ends; what follows the last end is a line too. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split(/(?<=\n)/);
    rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
    yield* lines;
    if (rest.length > LONGEST_LINE) break;
  }
  if (rest !== '') yield rest;
}

/** Resolves to the number of the first line that is not as it was written, with the end of the chain; null where all lines are. */
async function verified(file: string) {
  const check = new CertificateCheck(sha256);
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    if (!check.accepts(text)) return { brokenAt: line, end: null };
  }
  return check.end ? { brokenAt: null, end: check.end } : { brokenAt: 1, end: null };
}

const faultOf = (brokenAt: number | null, isOther: boolean): string | null => {
  if (brokenAt !== null) return `The certificate was changed: line ${brokenAt} is not as it was written`;
  return isOther ? 'The certificate is not the one with this head: lines are missing or were added at its end' : null;
};

export const CERTIFICATE: Command = {
  words: ['certificate', 'verify'],
  parameters: ['<file>'],
  options: ['head'],
  offline: true,
  meaning: 'check the hash chain of a certificate (CSV); with --head, also check that no rows are missing at the end',
  check: ({ args: [file = ''], options: { head } }) => {
    if (file.trim() === '') throw new UsageError('Name the file of a certificate');
    if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) throw new UsageError('--head takes the head of the chain as the API shows it');
  },
  run: async ({ args: [file = ''], options: { head } }) => {
    const { brokenAt, end } = await verified(file);
    const isOther = end !== null && head !== undefined && head !== end.head;
    const intact = brokenAt === null && !isOther;
    return {
      result: { intact, brokenAtLine: brokenAt, rows: end?.rows ?? null, head: end?.head ?? null },
      fault: faultOf(brokenAt, isOther),
    };
  },
};
