import { cpus } from 'node:os';
import Handlebars from 'handlebars';
import { ContentCompiler, compileContent } from '../src/message/template';
import type { ContactFields, Decoration, SystemValues, Values } from '../src/message/template';
import { newsletterWorks } from './support/newsletter';
import { ROUNDS, printRounds } from './support/rounds';
import type { Work } from './support/rounds';

const CONTACT: ContactFields = {
  contactId: 'con_1',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  locale: 'en',
  data: { plan: 'pro' },
};
const SYSTEM: SystemValues = {
  unsubscribeUrl: 'https://t.example/u/1',
  preferencesUrl: 'https://t.example/p/1',
  viewInBrowserUrl: 'https://t.example/v/1',
  year: 2026,
};
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

function worksOf({ html, text, variables }: Case): readonly Work[] {
  const subject = 'Hello {{firstName}}';
  const source = { subject, html, text };
  const compiler = new ContentCompiler();
  const content = compiler.compile(source);
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
    { label: 'compile, known content', work: () => void compiler.compile(source) },
  ];
}

/**
 * Prints the cost of one rendering, compared with plain Handlebars and the same templates without links, bounds or decoration; and the cost
 * of a whole message, compared with one that is composed from texts.
 */
export async function run(): Promise<void> {
  process.stdout.write(`Rendering, one thread of ${cpus()[0]?.model ?? 'unknown'}; median of ${ROUNDS} alternating rounds\n`);
  for (const each of CASES) await printRounds(`${each.name} (${each.html.length} characters)`, worksOf(each));
  await printRounds('A newsletter with ten links, from values to what goes over the wire', newsletterWorks());
}
