import { compileContent, RENDERER_VERSION, TemplateSyntaxError } from '../../src/render';
import type {
  CompiledContent,
  ContactFields,
  ContentSource,
  Decoration,
  Rendered,
  SystemValues,
  TemplateFault,
  Values,
} from '../../src/render';

const ADA: ContactFields = {
  contactId: 'con_1',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: null,
  locale: 'en',
  data: { plan: 'pro', seats: 0, empty: '' },
};
const SYSTEM: SystemValues = { unsubscribeUrl: 'https://t.example/u/1', viewInBrowserUrl: 'https://t.example/v/1', year: 2026 };
const PLAIN: Decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };

const contentOf = (source: Partial<ContentSource>): CompiledContent => compileContent({ subject: 's', html: null, text: null, ...source });

function render(source: Partial<ContentSource>, variables: Values = {}, contact = ADA): Rendered {
  const content = contentOf(source);
  return content.render(content.valuesFor(variables, contact), SYSTEM, PLAIN);
}

const text = (template: string, variables: Values = {}, contact = ADA) => render({ text: template }, variables, contact).text;
const html = (template: string, variables: Values = {}, contact = ADA) => render({ html: template }, variables, contact).html;

function faultsOf(source: Partial<ContentSource>): readonly TemplateFault[] {
  try {
    contentOf(source);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error.faults;
    throw error;
  }
  return [];
}

describe('resolution', () => {
  test.each<[string, Values, string]>([
    ['{{firstName}}', { firstName: 'Grace' }, 'Grace'],
    ['{{firstName}}', {}, 'Ada'],
    ['{{firstName}}', { firstName: '' }, 'Ada'],
    ['{{firstName}}', { firstName: null }, 'Ada'],
    ['{{firstName | "there"}}', { firstName: '' }, 'Ada'],
    ['{{lastName | "there"}}', {}, 'there'],
    ['{{lastName}}', {}, ''],
    ['{{email}} {{locale}} {{contactId}}', {}, 'ada@example.com en con_1'],
    ['{{count | "none"}}', { count: 0 }, '0'],
    ['{{flag | "none"}}', { flag: false }, 'false'],
    ['{{plan | "none"}}', {}, 'none'],
    ['{{data.plan}}', {}, 'pro'],
    ['{{data.plan}}', { data: { plan: 'free' } }, 'free'],
    ['{{data.plan}} {{data.colour}}', { data: { colour: 'red', plan: '' } }, 'pro red'],
    ['{{data.seats | "none"}}', {}, '0'],
    ['{{data.empty | "x"}}', {}, 'x'],
    ['{{data.plan}}', { data: 'all' }, ''],
    ['{{#with data}}{{plan}}{{colour}}{{/with}}', { data: { colour: 'red' } }, 'prored'],
    ['{{year}} {{unsubscribeUrl}}', { year: 1, unsubscribeUrl: 'https://evil.example' }, '2026 https://t.example/u/1'],
    ['{{order.lines.1.name}}', { order: { lines: [{}, { name: 'b' }] } }, 'b'],
    ['{{list}} {{object}}', { list: [1, 'b', null, [2]], object: { a: 1 } }, '1,b,, '],
    ['{{items.length}} {{word.length}}', { items: [1, 2], word: 'abc' }, '2 3'],
  ])('%s with %j', (template, variables, expected) => {
    expect(text(template, variables)).toBe(expected);
  });

  test('a contact without data has none', () => {
    expect(text('{{data.plan | "free"}}', {}, { ...ADA, data: null })).toBe('free');
  });
});

describe('fallback syntax', () => {
  test.each([
    ['{{a | "x"}}', 'x'],
    ['{{a|"x"}}', 'x'],
    ['{{ a  |  "say \\"hi\\" }} | <b>" }}', 'say "hi" }} | <b>'],
    ['{{a | ""}}', ''],
    ['{{{a | "<b>"}}}', '<b>'],
    ['{{&a | "<b>"}}', '<b>'],
    ['1 {{~a | "x"~}} 2', '1x2'],
    ['{{#if data.plan}}{{a | "x"}}{{else}}{{b | "y"}}{{/if}}', 'x'],
    ['{{#each list}}{{n | "x"}}{{../b | "y"}}{{/each}}', 'xyxy'],
    ['{{! {{a | "x"}} }}', ' }}'],
    ['{{!-- {{a | "x"}} --}}', ''],
    ['\\{{a | "x"}} {{a | "x"}}', '{{a | "x"}} x'],
    ['\\\\{{a | "x"}}', '\\x'],
    ['{{default | "x"}}', 'x'],
    ['{{uppercase a | "none"}}', 'none'],
    ['{{formatDate a "long" | "soon"}}', 'soon'],
  ])('%s', (template, expected) => {
    expect(text(template, { list: [1, 2] })).toBe(expected);
  });

  test('is escaped in HTML like a value', () => {
    expect(html('{{a | "<b>"}}')).toBe('&lt;b&gt;');
  });

  test.each([
    ["{{a | 'x'}}", 5],
    ['{{a | x}}', 5],
    ['{{a | "x" b}}', 11],
    ['{{#if a | "x"}}{{/if}}', 9],
    ['{{eq (a | "x") b}}', 9],
  ])('%s is refused', (template, column) => {
    expect(faultsOf({ text: template })).toMatchObject([{ field: 'text', line: 1, column }]);
  });
});

describe('logic', () => {
  const list = [
    { name: 'a', tags: ['x', 'y'] },
    { name: 'b', tags: [] },
  ];
  test.each<[string, string]>([
    ['{{#if zero}}1{{else if data.plan}}2{{else}}3{{/if}}', '2'],
    ['{{#if zero includeZero=true}}1{{/if}}', '1'],
    ['{{#if none}}1{{else}}2{{/if}}{{#unless list}}3{{else}}4{{/unless}}', '24'],
    ['{{^if none}}1{{else}}2{{/if}}', '1'],
    ['{{#each list}}{{@index}}{{@key}}{{@first}}{{@last}}{{name}};{{/each}}', '00truefalsea;11falsetrueb;'],
    ['{{#each object}}{{@key}}={{this}} {{/each}}', 'k=1 l=2 '],
    ['{{#each none}}x{{else}}empty{{/each}}', 'empty'],
    ['{{#each list}}{{#each tags}}{{@../index}}{{../name}}{{this}} {{else}}-{{/each}}{{/each}}', '0ax 0ay -'],
    ['{{#with object}}{{k}}{{../zero}}{{@root.zero}}{{/with}}{{#with none}}x{{else}}y{{/with}}', '100y'],
    ['{{#each list as |item at|}}{{at}}{{item.name}}{{/each}}', '0a1b'],
    ['{{#each list}}{{firstName}}{{../firstName}}{{/each}}', 'AdaAda'],
    ['{{#if (and (eq data.plan "pro") (not none))}}yes{{/if}}', 'yes'],
    ['{{./firstName}} {{this.firstName}} {{"firstName"}}', 'Ada Ada Ada'],
    ['{{../firstName}}{{@index}}{{@unknown}}', ''],
    ['a\n{{#if zero}}\nb\n{{else}}\nc\n{{/if}}\nd', 'a\nc\nd'],
  ])('%s', (template, expected) => {
    expect(text(template, { list, zero: 0, object: { k: 1, l: 2 } })).toBe(expected);
  });
});

describe('helpers', () => {
  test.each<[string, string]>([
    ['{{uppercase firstName}} {{lowercase firstName}} {{capitalize word}}', 'ADA ada Élan'],
    ['{{default none "" firstName}}', 'Ada'],
    ['{{default zero 5}}', '0'],
    ['{{eq 1 1}} {{eq 1 "1"}} {{ne 1 2}} {{eq none null}}', 'true false true true'],
    ['{{gt 2 1}} {{lt "10" 9}} {{lt "a" "b"}} {{gt "x" 1}}', 'true false true false'],
    ['{{and zero 1}} {{or none "b"}} {{or none null}} {{not none}}', '0 b  true'],
    ['{{formatDate day}}', 'Nov 21, 2026'],
    ['{{formatDate day "long" locale="de"}}', '21. November 2026'],
    ['{{formatDate day "YYYY-MM-DD HH:mm:ss"}}', '2026-11-21 09:05:00'],
    ['{{formatDate day "dddd, D MMM YY [at] h:mm a" timezone="America/New_York"}}', 'Saturday, 21 Nov 26 at 4:05 am'],
    ['{{formatDate 0 "YYYY"}} {{formatDate "soon"}} {{formatDate none}}', '1970 soon '],
    ['{{formatDate day "short" timezone="No/Where" locale="!"}}', '11/21/26'],
    ['{{formatNumber 1234.5}} {{formatNumber "1234.5" 2}} {{formatNumber 1234.5 locale="de" decimals=1}}', '1,234.5 1,234.50 1.234,5'],
    ['{{formatNumber 9.5 currency="EUR"}} {{formatNumber "many"}} {{formatNumber 1 99}}', '€9.50 many 1.00000000000000000000'],
    ['{{uppercase (default none firstName)}}', 'ADA'],
  ])('%s', (template, expected) => {
    expect(text(template, { word: 'élan', zero: 0, day: '2026-11-21T09:05:00.000Z' })).toBe(expected);
  });

  test('a helper’s name without arguments is a variable', () => {
    expect(text('{{default}} {{not}} {{if}} {{lookup}}', { default: 'a', not: 'b', if: 'c', lookup: 'd' })).toBe('a b c d');
  });
});

describe('syntax faults', () => {
  test.each([
    '{{> part}}',
    '{{#> part}}x{{/part}}',
    '{{#*inline "x"}}y{{/inline}}',
    '{{* decorate}}',
    '{{foo a}}',
    '{{foo a=1}}',
    '{{lookup list 0}}',
    '{{log "x"}}',
    '{{helperMissing a}}',
    '{{#blockHelperMissing a}}{{/blockHelperMissing}}',
    '{{#if (foo)}}{{/if}}',
    '{{#section}}x{{/section}}',
    '{{^section}}x{{/section}}',
    '{{#uppercase a}}x{{/uppercase}}',
    '{{if a}}',
    '{{#if}}{{/if}}',
    '{{#each a b}}{{/each}}',
    '{{#each a limit=2}}{{/each}}',
    '{{#if a as |b|}}{{/if}}',
    '{{eq a}}',
    '{{uppercase a tone="high"}}',
    '{{this}}',
    '{{#each @root}}{{/each}}',
    '{{{{raw}}}}x{{{{/raw}}}}',
    '{{#if a}}x{{/each}}',
    '{{#if a}}',
    '{{/if}}',
    '{{else}}',
    '{{#if a}}{{else}}{{else}}{{/if}}',
    '{{a',
    '{{a}}}',
    '{{{a}}',
    '{{}}',
    '{{a b=}}',
    '{{a.../b}}',
    '{{"a}}',
    '{{[a}}',
    '{{!-- a }}',
    'a\0b',
  ])('%s', (template) => {
    expect(faultsOf({ text: template })).toHaveLength(1);
  });

  test('line and column refer to the text as written, all fields at once', () => {
    const source = {
      subject: '{{a | "x"}} {{> p}}',
      html: 'é\r\n<p>{{a|"x"}}\u2028 {{foo a}}\n\n {{bar b}} {{#if a}}{{eq}}',
      text: '{{b\n}}{{eq 1}}',
    };
    expect(faultsOf({ ...source, html: `${source.html}{{/if}}` })).toEqual([
      { field: 'subject', line: 1, column: 13, message: 'Partials are not offered' },
      { field: 'html', line: 2, column: 16, message: 'Unknown helper "foo"' },
      { field: 'html', line: 4, column: 2, message: 'Unknown helper "bar"' },
      { field: 'text', line: 2, column: 3, message: '"eq" takes 2 values, not 1' },
    ]);
    expect(faultsOf({ text: 'a\n{{#if b}}\n{{c | "x"}} {{d e=}}{{/if}}' })).toMatchObject([{ line: 3, column: 19 }]);
    expect(faultsOf({ text: 'a\n{{#if b}}\n{{c | "x"}}' })).toMatchObject([{ line: 2, column: 1 }]);
    expect(() => contentOf(source)).toThrow(TemplateSyntaxError);
  });
});

describe('safety of values', () => {
  test('prototypes are out of reach', () => {
    const variables = JSON.parse('{"o": {"__proto__": {"x": 1}, "constructor": "c", "prototype": "p"}, "toString": "own"}') as Values;
    expect(text('{{o.__proto__.x}}{{o.constructor}}{{o.prototype}}{{o.hasOwnProperty}}{{constructor}}', variables)).toBe('');
    expect(text('{{toString}}{{valueOf}}{{data.toString}}{{#each o}}{{toString}}{{/each}}', variables)).toBe('own');
  });

  test('an object with its own toString is nothing, a deep list is bounded', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level++) deep = [deep];
    expect(text('{{o}}{{{o}}}{{uppercase o}}{{deep}}{{{deep}}}', { o: { toString: 1, toHTML: 2 }, deep })).toBe('');
  });

  test('HTML is escaped in HTML only, as Handlebars does', () => {
    const a = `<&>"'\`=`;
    const { subject, html: page, text: plain } = render({ subject: '{{a}}', html: '{{a}} {{{a}}} {{&a}}', text: '{{a}}' }, { a });
    expect({ subject, page, plain }).toEqual({ subject: a, page: `&lt;&amp;&gt;&quot;&#x27;&#x60;&#x3D; ${a} ${a}`, plain: a });
  });

  test('line breaks and controls that a value brings into a subject become spaces', () => {
    expect(render({ subject: 'Hi {{a}}', text: '{{a}}' }, { a: 'x\r\nBcc: y\tz\u0000\u0085\u2028.' })).toMatchObject({
      subject: 'Hi x  Bcc: y z   .',
      text: 'x\r\nBcc: y\tz\u0000\u0085\u2028.',
    });
  });
});

describe('what a content knows of itself', () => {
  test('its placeholders, sorted, and the least of values', () => {
    const content = contentOf({
      subject: '{{firstName | "x"}}',
      html: '{{#each items}}{{name}}{{../zip}}{{/each}}{{data.plan}}{{year}}',
      text: '{{default a.b data.seats}}',
      previewText: '{{p}}',
    });
    expect(content.placeholders).toEqual(['a', 'data', 'firstName', 'items', 'p', 'zip']);
    const values = content.valuesFor({ items: [1], unused: 1, year: 3, a: null }, ADA);
    expect(JSON.parse(JSON.stringify(values))).toEqual({ firstName: 'Ada', items: [1], data: { plan: 'pro', seats: 0 } });
    expect(Object.getPrototypeOf(values)).toBeNull();
  });

  test('the kept values render the same after storage', () => {
    const content = contentOf({ html: '{{firstName}} {{data.plan}} {{#each items}}{{this}}{{/each}}' });
    const values = content.valuesFor({ items: ['<', 2] }, ADA);
    const stored = JSON.parse(JSON.stringify(values)) as Values;
    expect(content.render(stored, SYSTEM, PLAIN)).toEqual(content.render(values, SYSTEM, PLAIN));
  });

  test('whether html or text has its own unsubscribe link', () => {
    expect(contentOf({ html: '{{#if a}}{{unsubscribeUrl}}{{/if}}' }).usesUnsubscribeUrl).toBe(true);
    expect(contentOf({ html: 'x', text: '{{{@root.unsubscribeUrl}}}' }).usesUnsubscribeUrl).toBe(true);
    expect(
      contentOf({ subject: '{{unsubscribeUrl}}', html: '{{! {{unsubscribeUrl}} }}{{#with a}}{{unsubscribeUrl}}{{/with}}' })
        .usesUnsubscribeUrl,
    ).toBe(false);
  });

  test('the same source is compiled once, another split of the same characters is not the same source', () => {
    expect(contentOf({ subject: 'ab', text: 'c' })).toBe(contentOf({ subject: 'ab', text: 'c' }));
    expect(contentOf({ subject: 'a', text: 'bc' })).not.toBe(contentOf({ subject: 'ab', text: 'c' }));
    expect(contentOf({ html: '', text: 'c' })).not.toBe(contentOf({ html: null, text: 'c' }));
    expect(RENDERER_VERSION).toMatch(/./);
  });
});
