import { cpus } from 'node:os';
import Handlebars from 'handlebars';
import { compileContent } from '../src/render';
import type { ContactFields, Decoration, SystemValues, Values } from '../src/render';

/** Both sides run in turns of this length, so that a change of the machine's load meets both. */
const ROUNDS = 9;
const ROUND_MILLISECONDS = 120;

const CONTACT: ContactFields = {
  contactId: 'con_1',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  locale: 'en',
  data: { plan: 'pro' },
};
const SYSTEM: SystemValues = { unsubscribeUrl: 'https://t.example/u/1', viewInBrowserUrl: 'https://t.example/v/1', year: 2026 };
const PLAIN: Decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };
const TRACKED: Decoration = {
  trackLink: (url) => `https://t.example/t/c/${url.length}`,
  pixelUrl: 'https://t.example/t/o/1.gif',
  unsubscribeFooter: true,
};

const paragraph = (words: number) => `<p style="margin:0 0 16px">${'A sentence of an e-mail that says something. '.repeat(words)}</p>\n`;

interface Case {
  readonly name: string;
  readonly html: string;
  readonly text: string;
  readonly variables: Values;
}

const CASES: readonly Case[] = [
  {
    name: '2 KB, 5 placeholders, 2 links',
    html: `<html><body>\n<p>Hi {{firstName}},</p>\n${paragraph(16)}<p>{{data.plan}} {{code}}</p><a href="https://shop.example/a">a</a>${paragraph(16)}<a href="https://shop.example/{{code}}">b</a>\n<p>{{email}}</p></body></html>`,
    text: 'Hi {{firstName}}, your code is {{code}}.\n',
    variables: { code: 'X-7 & more' },
  },
  {
    name: '10 KB, 15 placeholders, 10 links, a loop of 5',
    html: `<html><body>\n<p>Hi {{firstName}} {{lastName}}</p>\n${Array.from({ length: 10 }, (_, index) => `${paragraph(20)}<a href="https://shop.example/p/${index}?c={{code}}&amp;u=1">see</a>`).join('\n')}<ul>{{#each items}}<li>{{name}}: {{price}}</li>{{/each}}</ul>{{#if code}}<p>{{code}}</p>{{/if}}</body></html>`,
    text: 'Hi {{firstName}}\n{{#each items}}\n- {{name}}: {{price}}\n{{/each}}\n',
    variables: { code: 'X-7', items: Array.from({ length: 5 }, (_, index) => ({ name: `Thing ${index}`, price: index * 3 })) },
  },
];

function round(work: () => void): number {
  const start = process.hrtime.bigint();
  const end = start + BigInt(ROUND_MILLISECONDS) * 1_000_000n;
  let runs = 0;
  while (process.hrtime.bigint() < end) {
    for (let each = 0; each < 20; each++) work();
    runs += 20;
  }
  return Number(process.hrtime.bigint() - start) / 1_000 / runs;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;

/** Median microseconds of each work, measured in turns. */
function measure(works: readonly (() => void)[]): readonly number[] {
  const times = works.map((): number[] => []);
  for (let turn = 0; turn <= ROUNDS; turn++) {
    works.forEach((work, index) => {
      const time = round(work);
      if (turn > 0) times[index]?.push(time);
    });
  }
  return times.map(median);
}

function worksOf({ html, text, variables }: Case): readonly { readonly label: string; readonly work: () => void }[] {
  const subject = 'Hello {{firstName}}';
  const source = { subject, html, text };
  const content = compileContent(source);
  const derived = compileContent({ subject, html, text: null });
  const fallback = compileContent({ subject, html: `${html}{{{nothing}}}`, text });
  const values = content.valuesFor(variables, CONTACT);
  const context = { ...CONTACT, ...variables };
  const plain = [subject, html, text].map((template) => Handlebars.compile<typeof context>(template));
  return [
    { label: 'plain Handlebars, three templates', work: () => plain.forEach((template) => template(context)) },
    { label: 'render', work: () => void content.render(values, SYSTEM, PLAIN) },
    { label: 'render, links and pixel and footer', work: () => void content.render(values, SYSTEM, TRACKED) },
    { label: 'render, text part derived', work: () => void derived.render(values, SYSTEM, TRACKED) },
    { label: 'render, HTML read each time (raw value)', work: () => void fallback.render(values, SYSTEM, TRACKED) },
    { label: 'valuesFor', work: () => void content.valuesFor(variables, CONTACT) },
    { label: 'compileContent, known content', work: () => void compileContent(source) },
  ];
}

/** Prints what one rendering costs, beside plain Handlebars rendering the same templates without links, bounds or decoration. */
export function run(): Promise<void> {
  process.stdout.write(`Rendering, one thread of ${cpus()[0]?.model ?? 'unknown'}; median of ${ROUNDS} rounds in turns\n`);
  for (const each of CASES) {
    const works = worksOf(each);
    const times = measure(works.map(({ work }) => work));
    const base = times[0] ?? 1;
    process.stdout.write(`\n${each.name} (${each.html.length} characters)\n`);
    works.forEach(({ label }, index) => {
      const time = times[index] ?? 0;
      process.stdout.write(`  ${label.padEnd(42)}${time.toFixed(2).padStart(9)} µs ${(time / base).toFixed(2).padStart(7)} ×\n`);
    });
  }
  return Promise.resolve();
}
