import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Figures = readonly (readonly [name: string, value: string | number])[];

const PAGE = path.resolve(__dirname, '../../docs/design/crash-tests.md');

/** Aligns a table as the formatter does, so that the page is as it should be after a run. */
function tableOf(figures: Figures): readonly string[] {
  const rows = [['what', 'figure'] as const, ...figures.map(([what, figure]) => [what, String(figure)] as const)];
  const [left, right] = ([0, 1] as const).map((column) => Math.max(...rows.map((row) => row[column].length))) as [number, number];
  const [head = '', ...body] = rows.map(([what, figure]) => `| ${what.padEnd(left)} | ${figure.padEnd(right)} |`);
  return [head, `| ${'-'.repeat(left)} | ${'-'.repeat(right)} |`, ...body];
}

const sectionOf = (name: string, figures: Figures): string =>
  [`<!-- ${name} -->`, '', ...tableOf(figures), '', `<!-- /${name} -->`].join('\n');

/** Writes the figures of a run into its place in docs/design/crash-tests.md. */
export function report(name: string, figures: Figures): void {
  if (!existsSync(PAGE)) throw new Error('docs/design/crash-tests.md is missing');
  const page = readFileSync(PAGE, 'utf8');
  const section = sectionOf(name, figures);
  const known = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  writeFileSync(PAGE, known.test(page) ? page.replace(known, section) : `${page.trimEnd()}\n\n${section}\n`);
}

/** Writes the figures to the terminal. */
export function print(figures: Figures): void {
  process.stdout.write(`${figures.map(([what, figure]) => `${what}: ${figure}`).join('\n')}\n`);
}
