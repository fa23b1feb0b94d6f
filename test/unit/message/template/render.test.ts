import { RENDERER_VERSION } from '../../../../src/message/template';
import type { Values } from '../../../../src/message/template';
import { ADA, SYSTEM, PLAIN, contentOf, render, text } from '../../../support/data/render-for-ada';

const html = (template: string, variables: Values = {}, contact = ADA) => render({ html: template }, variables, contact).html;

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
