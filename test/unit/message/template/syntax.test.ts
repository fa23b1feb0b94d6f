import { TemplateSyntaxError } from '../../../../src/message/template';
import type { ContentSource, TemplateFault } from '../../../../src/message/template';
import { contentOf, text } from '../../../support/data/render-for-ada';

function faultsOf(source: Partial<ContentSource>): readonly TemplateFault[] {
  try {
    contentOf(source);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error.faults;
    throw error;
  }
  return [];
}

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
    ['{{formatDate "2026-11-21T09:05:30.123456+02:00" "HH:mm:ss"}} {{formatDate "2026-11-21T09:05Z" "HH:mm"}}', '07:05:30 09:05'],
    ['{{formatDate "2026-11-21" timezone="America/New_York"}}', 'Nov 21, 2026'],
    ['{{formatDate "2026-11-21" "YYYY-MM-DD HH:mm" timezone="Pacific/Kiritimati"}}', '2026-11-21 00:00'],
    ['{{formatDate "2026-11-21T23:30:00" "D MMM, HH:mm" timezone="Asia/Tokyo"}}', '21 Nov, 23:30'],
    ['{{formatDate "2028-02-29" "short"}} {{formatDate "2026-02-29" "short"}}', '2/29/28 2026-02-29'],
    [
      '{{formatDate "Room 12"}}, {{formatDate "5"}}, {{formatDate "2026-02-30" "long"}}, {{formatDate "2026"}}',
      'Room 12, 5, 2026-02-30, 2026',
    ],
    ['{{formatDate "11/21/2026"}} {{formatDate "Nov 21, 2026"}} {{formatDate "1763717400000"}}', '11/21/2026 Nov 21, 2026 1763717400000'],
    ['{{formatDate "2026-11-21T25:00:00Z"}} {{formatDate "2026-13-01"}}', '2026-11-21T25:00:00Z 2026-13-01'],
    ['{{formatDate 1763717400000 "YYYY-MM-DD HH:mm"}} {{formatDate far}}', '2025-11-21 09:30 9000000000000000'],
    [
      '{{urlEncode "ada+tag@e.example"}} {{urlEncode "a&b=c d/e?f#g"}} {{urlEncode 12}}',
      'ada%2Btag%40e.example a%26b%3Dc%20d%2Fe%3Ff%23g 12',
    ],
    ['{{urlEncode "é-_.~!*()"}} {{urlEncode none}}|{{urlEncode half}}', '%C3%A9-_.~%21%2A%28%29 |%EF%BF%BD'],
    ['{{formatNumber 1234.5}} {{formatNumber "1234.5" 2}} {{formatNumber 1234.5 locale="de" decimals=1}}', '1,234.5 1,234.50 1.234,5'],
    ['{{formatNumber 9.5 currency="EUR"}} {{formatNumber "many"}} {{formatNumber 1 99}}', '€9.50 many 1.00000000000000000000'],
    ['{{uppercase (default none firstName)}}', 'ADA'],
  ])('%s', (template, expected) => {
    expect(text(template, { word: 'élan', zero: 0, half: '\ud83d', far: 9e15, day: '2026-11-21T09:05:00.000Z' })).toBe(expected);
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
      { field: 'subject', line: 1, column: 13, message: 'Partials are not supported: write their content into the template' },
      {
        field: 'html',
        line: 2,
        column: 15,
        message: expect.stringMatching(/^Unknown helper "foo"; there are uppercase, lowercase, .*not/),
      },
      { field: 'html', line: 4, column: 2, message: expect.stringMatching(/^Unknown helper "bar"; there are /) },
      { field: 'text', line: 2, column: 3, message: '"eq" takes 2 values, not 1' },
    ]);
    expect(faultsOf({ text: 'a\n{{#if b}}\n{{c | "x"}} {{d e=}}{{/if}}' })).toMatchObject([{ line: 3, column: 19 }]);
    expect(faultsOf({ text: 'a\n{{#if b}}\n{{c | "x"}}' })).toMatchObject([{ line: 2, column: 1 }]);
    expect(() => contentOf(source)).toThrow(TemplateSyntaxError);
  });
});

test.each([
  ['{{upper name}}', 'Unknown helper "upper": did you mean "uppercase"?'],
  ['{{Uppercase name}}', 'Unknown helper "Uppercase": did you mean "uppercase"?'],
  ['{{date createdAt "YYYY"}}', 'Unknown helper "date": did you mean "formatDate"?'],
  ['{{#items}}x{{/items}}', 'Unknown block "items": did you mean {{#each items}} or {{#if items}}?'],
  ['{{#foreach items}}x{{/foreach}}', 'Unknown block "foreach": did you mean {{#each …}}?'],
  ['{{#ifEquals a b}}x{{/ifEquals}}', 'Unknown block "ifEquals": did you mean {{#if (eq …)}}?'],
  ['{{#frob a}}x{{/frob}}', 'Unknown block "frob"; there are if, unless, each, with'],
  ['{{> header}}', 'Partials are not supported: write their content into the template'],
])('%s is answered with what there is', (text, message) => {
  expect(faultsOf({ text })).toMatchObject([{ message }]);
});

describe('fallbacks that are refused', () => {
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
