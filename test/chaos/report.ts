import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Figures = readonly (readonly [name: string, value: string | number])[];

const PAGE = path.resolve(__dirname, '../../docs/durability.md');

const sectionOf = (name: string, figures: Figures): string =>
  [
    `<!-- ${name} -->`,
    '',
    '| what | figure |',
    '| --- | --- |',
    ...figures.map(([what, figure]) => `| ${what} | ${figure} |`),
    '',
    `<!-- /${name} -->`,
  ].join('\n');

/** Writes the figures of a run into its place in docs/durability.md. */
export function report(name: string, figures: Figures): void {
  if (!existsSync(PAGE)) throw new Error('docs/durability.md is missing');
  const page = readFileSync(PAGE, 'utf8');
  const section = sectionOf(name, figures);
  const known = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  writeFileSync(PAGE, known.test(page) ? page.replace(known, section) : `${page.trimEnd()}\n\n${section}\n`);
  process.stdout.write(`${figures.map(([what, figure]) => `${what}: ${figure}`).join('\n')}\n`);
}
