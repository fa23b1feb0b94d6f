import { ContentCompiler, TemplateRenderError, TemplateSyntaxError } from '../../../../src/message/template';
import { excess, leastElapsed } from '../../../support/checks/yardstick';
import type { ContactFields, ContentSource, Decoration, Rendered, SystemValues, Values } from '../../../../src/message/template';

const compiler = new ContentCompiler();

const CONTACT: ContactFields = { contactId: null, email: 'a@e.example', firstName: null, lastName: null, locale: null, data: null };
const SYSTEM: SystemValues = {
  unsubscribeUrl: 'https://t.example/u',
  preferencesUrl: 'https://t.example/p/1',
  viewInBrowserUrl: 'https://t.example/v',
  year: 2026,
};
const PLAIN: Decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };
const MIB = 1024 * 1024;

let compiled = 0;

/** Compiles a content that is new: one that is known would cost nothing. */
const compile = (source: Partial<ContentSource>) => compiler.compile({ subject: `s${compiled++}`, html: null, text: null, ...source });

function render(source: Partial<ContentSource>, variables: Values = {}): Rendered {
  const content = compile(source);
  return content.render(content.valuesFor(variables, CONTACT), SYSTEM, PLAIN);
}

/** What a rendering threw, if it broke a bound. */
function failureOf(work: () => void): TemplateRenderError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof TemplateRenderError) return error;
    throw error;
  }
}

const repeated = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('bounds on a template', () => {
  test.each([
    ['expressions', '{{a}}'.repeat(1_000), '{{a}}'.repeat(1_001)],
    ['expressions in expressions', '{{not (not a)}}'.repeat(500), '{{not (not a)}}'.repeat(501)],
    ['else-if', `{{#if a}}${'{{else if a}}'.repeat(999)}{{/if}}`, `{{#if a}}${'{{else if a}}'.repeat(1_000)}{{/if}}`],
    ['blocks', '{{#if a}}{{else}}{{/if}}'.repeat(1_000), '{{#if a}}{{/if}}'.repeat(1_001)],
    ['nesting', `${'{{#if a}}'.repeat(10)}${'{{/if}}'.repeat(10)}`, `${'{{#if a}}'.repeat(11)}${'{{/if}}'.repeat(11)}`],
    ['depth of sub-expressions', `{{not ${'(not '.repeat(10)}a${')'.repeat(10)}}}`, `{{not ${'(not '.repeat(11)}a${')'.repeat(11)}}}`],
    ['words', `{{a${'.b'.repeat(4_000)}}}`, `{{a${'.b'.repeat(6_000)}}}`],
    ['tags', '{{!c}}'.repeat(4_000), '{{!c}}'.repeat(4_001)],
  ])('%s', (_what, allowed, refused) => {
    expect(() => compile({ text: allowed })).not.toThrow();
    expect(() => compile({ text: refused })).toThrow(TemplateSyntaxError);
  });

  test.each(['{{', '{{#if a}}', '{{a}}', '{{a ', '{{a|"', '{{(', '{{[', '{{!--', '{{!c}}', '{{!', '{{"{{', '\\{{'])(
    'one megabyte of %j is refused at once',
    async (part) => {
      const template = repeated(part, MIB);
      expect(await excess(() => expect(() => compile({ html: template })).toThrow(TemplateSyntaxError))).toBe(0);
    },
  );

  test.each(['{{not ' + '('.repeat(MIB), `{{a${'.b'.repeat(MIB / 2)}}}`, `{{"${'\\"'.repeat(MIB / 2)}}}`])(
    'one huge expression is refused at once (%#)',
    async (template) => {
      expect(await excess(() => expect(() => compile({ html: template })).toThrow(TemplateSyntaxError))).toBe(0);
    },
  );

  test.each(['}}', '<a ', '<a href=x>', '<div></x>', '<!--', '<style>', '&#1;', '<a href="', '<li>'])(
    'one megabyte of %j is only text',
    async (part) => {
      const html = repeated(part, MIB);
      let rendered: Rendered | null = null;
      // Compiling reads the HTML once; rendering twice with a raw value reads it each time, or gives up.
      expect(await excess(() => (rendered = render({ html })))).toBe(0);
      expect(rendered).toMatchObject({ html });
      expect(await excess(() => failureOf(() => render({ html: '<p {{none}}>{{{raw}}}' }, { raw: html })))).toBe(0);
    },
  );
});

test.each(['formatDate', 'formatNumber'])('a long list that %s gives back as text is paid for each time', async (helper) => {
  const text = `{{#each ten}}{{#if (${helper} ../long)}}{{/if}}{{/each}}`;
  const variables = { ten: numbers(10_000), long: ['x', 'y'].map((letter) => letter.repeat(2_000_000)) };
  let failure: TemplateRenderError | null = null;
  expect(await excess(() => (failure = failureOf(() => render({ text }, variables))))).toBe(0);
  expect(failure).not.toBeNull();
});

test('a thousand placeholders in a tag of half a million attributes take hardly longer than one', async () => {
  const html = (count: number) => `<p ${'a '.repeat(500_000)}title="${'{{x}}'.repeat(count)}">{{x}}</p>`;
  const one = await leastElapsed(() => compile({ html: html(1) }));
  expect((await leastElapsed(() => compile({ html: html(999) }))) / one).toBeLessThan(4);
});

describe('bounds on a rendering', () => {
  test.each<[string, Partial<ContentSource>, Partial<ContentSource>, Values]>([
    [
      'iterations',
      { html: '{{#each ten}}x{{/each}}' },
      { html: '{{#each more}}x{{/each}}' },
      { ten: numbers(10_000), more: numbers(10_001) },
    ],
    [
      'iterations of nested loops',
      { text: '{{#each a}}{{#each ../b}}{{/each}}{{/each}}' },
      { text: '{{#each a}}{{#each ../b}}{{/each}}{{/each}}{{#each a}}{{/each}}' },
      { a: numbers(99), b: numbers(100) },
    ],
    [
      'iterations of all parts together',
      { subject: '{{#each a}}{{/each}}', html: '{{#each a}}{{/each}}', text: '{{#each a}}{{/each}}' },
      { subject: '{{#each a}}{{/each}}', html: '{{#each a}}{{/each}}', text: '{{#each a}}{{/each}}{{#each a}}{{/each}}' },
      { a: numbers(3_333) },
    ],
    [
      'keys of an object',
      { text: '{{#each a}}{{/each}}' },
      { text: '{{#each b}}{{/each}}' },
      { a: { k: 1 }, b: Object.fromEntries(numbers(10_001).map((n) => [n, n])) },
    ],
    [
      'output',
      { text: '{{#each a}}{{../x}}{{/each}}' },
      { text: '{{#each a}}{{../x}}{{/each}}{{b}}.' },
      { a: numbers(1_024), x: 'x'.repeat(2_048 - 1), b: 'y'.repeat(1_024) },
    ],
    ['output in bytes', { text: '{{x}}', subject: '' }, { text: '{{x}}.', subject: '' }, { x: 'é'.repeat(MIB) }],
    ['escaped output', { html: '{{x}}', subject: '' }, { html: '{{x}}.', subject: '' }, { x: '<'.repeat(MIB / 2) }],
    [
      'fixed output of loops',
      { text: `{{#each a}}${'x'.repeat(100)}{{/each}}` },
      { text: `{{#each a}}${'x'.repeat(300)}{{/each}}` },
      { a: numbers(9_000) },
    ],
    [
      'work',
      { text: `{{#each a}}${'{{b}}'.repeat(40)}{{/each}}` },
      { text: `{{#each a}}${'{{b}}'.repeat(900)}{{/each}}` },
      { a: numbers(10_000) },
    ],
  ])('%s', (_what, allowed, refused, variables) => {
    expect(() => render(allowed, variables)).not.toThrow();
    expect(() => render(refused, variables)).toThrow(TemplateRenderError);
  });

  test('a part that is derived does not count again', () => {
    const variables = { a: numbers(10_000) };
    expect(render({ html: '{{#each a}}x{{/each}}' }, variables).text).toHaveLength(10_000);
    expect(render({ html: `<p>${'x'.repeat(MIB)}</p>` }).text).toHaveLength(MIB);
    expect(render({ text: '<'.repeat(MIB) }).html).toHaveLength(4 * MIB + 11);
  });

  const items = numbers(10_000).map((n) => ({ n, text: String(n), day: '2026-01-01', language: `l${n}` }));
  const looped = (body: string) => `{{#each items}}${body.repeat(300)}{{/each}}`;

  test.each([
    looped('{{a}}'),
    looped('{{#if (eq n ../b)}}{{/if}}'),
    looped('{{#if (eq ../left ../right)}}{{/if}}'),
    looped('{{#if (not (uppercase ../left))}}{{/if}}'),
    looped('{{#if (not (formatDate day "dddd D MMMM YYYY"))}}{{/if}}'),
    looped('{{#if (not (formatNumber n locale=language))}}{{/if}}'),
    looped('{{#if (not (uppercase ../list))}}{{/if}}'),
    '{{#each items}}{{#each ../items}}{{#each ../../items}}x{{/each}}{{/each}}{{/each}}',
    '{{#each items}}{{../left}}{{/each}}',
    '{{#each keys}}x{{/each}}',
  ])('the worst template is stopped in time (%#)', async (template) => {
    const variables = {
      items,
      list: numbers(5_000),
      left: 'é'.repeat(2_000_000),
      right: `${'é'.repeat(2_000_000)}!`,
      keys: Object.fromEntries(numbers(100_000).map((n) => [`k${n}`, n])),
    };
    const content = compile({ text: template });
    const values = content.valuesFor(variables, CONTACT);
    expect(await excess(() => expect(() => content.render(values, SYSTEM, PLAIN)).toThrow(TemplateRenderError))).toBe(0);
  });
});
