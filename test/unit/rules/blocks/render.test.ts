import { readDesign, renderDesign, warningsOf } from '../../../../src/rules/blocks';
import type { Block, Design, Span } from '../../../../src/rules/blocks';
import { render } from '../../../support/data/render-for-ada';

const designOf = (...blocks: readonly Block[]): Design => ({ version: 1, blocks });

const paragraph = (...spans: readonly Span[]): Block => ({ kind: 'text', id: 'p', lines: [{ spans }] });

/** What a reader gets of these blocks: HTML and text. */
const sent = (blocks: readonly Block[], values = {}) => render({ html: renderDesign(designOf(...blocks)) }, values);

const HOSTILE = [
  '<script>alert(1)</script>',
  '{{firstName}}',
  '{{{firstName}}}',
  '{{#if x}}{{/each}}',
  '{{> partial}}',
  '\\{{firstName}} \\',
  `"quoted" 'single' & <b>`,
  '{{{{raw}}}} }} {{!-- comment',
];

describe.each(HOSTILE)('the text %s', (text) => {
  const label: Span = { text };

  test.each<[string, Block]>([
    ['a paragraph', paragraph(label)],
    ['a heading', { kind: 'heading', id: 'h', level: 1, spans: [label] }],
    ['a button', { kind: 'button', id: 'b', label: [label], link: 'https://shop.test/' }],
    ['a list', { kind: 'text', id: 'l', lines: [{ list: 'bullet', spans: [label] }] }],
    ['a footer', { kind: 'footer', id: 'f', lines: [{ spans: [label] }] }],
    ['a social link', { kind: 'social', id: 's', links: [{ name: text, link: 'https://social.test/' }] }],
    ['an alternative text', { kind: 'image', id: 'i', src: 'https://shop.test/a.png', alt: text }],
  ])('is sent as it was written in %s', (_place, block) => {
    const { html, text: plain } = sent([block]);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<b>');
    expect(plain?.replaceAll(/\s+/g, ' ')).toContain(text.trim());
  });
});

test('a translation is a placeholder of its key, within a repetition too', () => {
  const hello: Span = { translation: 'greeting', fallback: 'Hi "you"', bold: true };
  const list: Block = { kind: 'repeat', id: 'r', field: 'items', name: 'item', blocks: [paragraph(hello)] };
  const html = renderDesign(designOf(paragraph({ translation: 'footer.thanks' }), list));
  expect(html).toContain('{{t "footer.thanks"}}');
  expect(html).toContain('<strong>{{t "greeting" | "Hi \\"you\\""}}</strong>');
  const bad = { version: 1, blocks: [{ kind: 'text', id: 'p', lines: [{ spans: [{ translation: 'x"}}' }] }] }] };
  expect(readDesign(bad).faults).toMatchObject([{ path: 'blocks.0.lines.0.spans.0.translation' }]);
});

test('a field is the value of the reader, escaped, and the fallback where there is none', () => {
  const blocks = [paragraph({ text: 'Hi ' }, { field: 'nick', fallback: 'my "dear" <friend>' }, { text: '!' })];
  expect(sent(blocks).html).toContain('Hi my &quot;dear&quot; &lt;friend&gt;!');
  expect(sent(blocks, { nick: '<i>' }).html).toContain('Hi &lt;i&gt;!');
});

test.each([
  ['javascript:alert(1)', '#'],
  ['data:text/html,x', '#'],
  ['//evil.test', '#'],
  ['/relative', '#'],
  ['https://a.test/"onclick="x', 'https://a.test/&quot;onclick=&quot;x'],
  ['https://a.test/?a={{data.plan}}&b=1', 'https://a.test/?a=pro&amp;b=1'],
  ['https://a.test/{{#if x}}', '#'],
  ['https://a.test/{{{x}}}', 'https://a.test/&#123;&#123;&#123;x&#125;&#125;&#125;'],
  ['mailto:ada@example.com', 'mailto:ada@example.com'],
  ['tel:+4930123', 'tel:+4930123'],
  ['{{link}}', 'https://from.test/value'],
])('the link %s leads to %s', (link, href) => {
  const { html } = sent([{ kind: 'button', id: 'b', label: [{ text: 'Go' }], link }], { link: 'https://from.test/value' });
  expect(html).toContain(`<a href="${href}"`);
});

test('a repetition shows its blocks for each element, with the fields of the contact in them', () => {
  const inner = paragraph({ field: 'item.name' }, { text: ' for ' }, { field: 'firstName' });
  const { text } = sent([{ kind: 'repeat', id: 'r', field: 'items', name: 'item', blocks: [inner] }], {
    items: [{ name: 'Tea' }, { name: 'Cake' }],
  });
  expect(text).toMatch(/Tea for Ada\s+Cake for Ada/);
});

test('a condition shows its blocks to those whom its tests fit, and the others to all others', () => {
  const block: Block = {
    kind: 'condition',
    id: 'c',
    match: 'all',
    tests: [
      { field: 'total', operator: 'greater', value: 100 },
      { field: 'coupon', operator: 'absent' },
      { field: 'plan', operator: 'equals', value: 'the "best"' },
    ],
    blocks: [paragraph({ text: 'Free delivery' })],
    otherwise: [{ ...paragraph({ text: 'Delivery is 5' }), id: 'o' }],
  };
  expect(sent([block], { total: 101, plan: 'the "best"' }).text).toBe('Free delivery');
  expect(sent([block], { total: 101, plan: 'the "best"', coupon: 'X' }).text).toBe('Delivery is 5');
  expect(sent([block], { total: 99, plan: 'the "best"' }).text).toBe('Delivery is 5');
});

test('blocks that hold others are written within the width that they leave', () => {
  const picture = (id: string): Block => ({ kind: 'image', id, src: 'https://shop.test/a.png', alt: 'A' });
  const { html } = sent([{ kind: 'columns', id: 'c', columns: [[picture('a')], [picture('b')]], shares: [25, 75] }]);
  expect([...html.matchAll(/ width="(\d+)" style="display/g)].map(([, width]) => width)).toEqual(['134', '402']);
});

test('a mail says its language and direction, has tables for layout only, and rules for dark screens', () => {
  const html = renderDesign({ version: 1, lang: 'ar', blocks: [paragraph({ text: 'x' })] });
  expect(html).toContain('<html lang="ar" dir="rtl"');
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html.match(/<table(?! role="presentation")/g)).toBeNull();
});

test('each kind of block is one that can be read again, and makes a template without faults', () => {
  const design = designOf(
    { kind: 'heading', id: 'a', level: 2, spans: [{ text: 'News', bold: true, link: 'https://a.test/' }], align: 'center' },
    { kind: 'text', id: 'b', lines: [{ list: 'number', spans: [{ field: 'data.plan', italic: true }] }], size: 18, color: '#333333' },
    { kind: 'image', id: 'c', src: '{{data.picture}}', alt: '', decorative: true, width: 200, link: 'https://a.test/' },
    { kind: 'button', id: 'd', label: [{ text: 'Go' }], link: '', full: true, color: '#ffdd00' },
    { kind: 'divider', id: 'e', padding: 0 },
    { kind: 'spacer', id: 'f', height: 20 },
    { kind: 'social', id: 'g', links: [{ name: 'Mastodon', link: 'https://a.test/' }] },
    { kind: 'html', id: 'h', html: '<b>{{firstName}}</b>' },
    {
      kind: 'footer',
      id: 'i',
      lines: [{ spans: [{ text: 'Acme' }] }],
      unsubscribe: 'Unsubscribe',
      preferences: 'Settings',
      browser: 'View',
    },
  );
  expect(readDesign(JSON.parse(JSON.stringify(design)))).toEqual({ design });
  const { html, text } = render({ html: renderDesign(design) }, {});
  expect(html).toContain('<b>Ada</b>');
  expect(text).toContain('Unsubscribe [https://t.example/u/1]');
});

test.each<[string, unknown, string]>([
  ['no object', [], ''],
  ['another version', { version: 2, blocks: [] }, 'version'],
  ['an unknown key', { version: 1, blocks: [], extra: 1 }, 'extra'],
  ['an unknown kind', { version: 1, blocks: [{ kind: 'video', id: 'a' }] }, 'blocks.0.kind'],
  ['the name of an inherited member', { version: 1, blocks: [{ kind: 'constructor', id: 'a' }] }, 'blocks.0.kind'],
  ['a missing member', { version: 1, blocks: [{ kind: 'spacer', id: 'a' }] }, 'blocks.0.height'],
  ['the same id twice', { version: 1, blocks: ['a', 'a'].map((id) => ({ kind: 'divider', id })) }, 'blocks.1.id'],
  ['a color that is none', { version: 1, style: { color: 'red;}' }, blocks: [] }, 'style.color'],
  ['a link that runs code', { version: 1, blocks: [{ kind: 'button', id: 'a', label: [], link: 'javascript:x' }] }, 'blocks.0.link'],
  ['a path that is none', { version: 1, blocks: [paragraph({ field: 'a}}{{b' })] }, 'blocks.0.lines.0.spans.0.field'],
  ['a path that is a word of the template', { version: 1, blocks: [paragraph({ field: 'else' })] }, 'blocks.0.lines.0.spans.0.field'],
  ['a fallback with a backslash', { version: 1, blocks: [paragraph({ field: 'a', fallback: '\\' })] }, 'blocks.0.lines.0.spans.0.fallback'],
  ['a language that is none', { version: 1, lang: '"><script>', blocks: [] }, 'lang'],
])('a design with %s is refused where it is wrong', (_what, given, path) => {
  expect(readDesign(given).faults?.map((fault) => fault.path)).toContain(path);
});

test('a design that nests without end is refused', () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? [] : [{ kind: 'repeat', id: `r${depth}`, field: 'a', name: 'item', blocks: nested(depth - 1) }];
  expect(readDesign({ version: 1, blocks: nested(5) }).faults).toBeUndefined();
  expect(readDesign({ version: 1, blocks: nested(50) }).faults).toHaveLength(1);
});

const warned = (design: Design, type: 'transactional' | 'marketing' = 'transactional'): readonly string[] =>
  warningsOf(design, renderDesign(design), type).map(({ code, block }) => `${code} ${block ?? '-'}`);

test.each([
  ['<td style="background-image:url(https://x.test/a.png)">', 1],
  ['<td style="background: #fff url(https://x.test/a.png)">', 1],
  ['<div style="display: flex"><video src="x"></video></div>', 2],
  ['<svg></svg><form></form>', 2],
  ['<p style="background:#fff;position:relative">See url(x)</p>', 0],
])('a feature that common mail programs lack is named, with its source: %s', (html, count) => {
  const found = warningsOf(designOf({ kind: 'html', id: 'h', html }), html, 'transactional').filter(
    ({ code }) => code === 'client_support',
  );
  expect(found).toHaveLength(count);
  for (const { message, block } of found) expect([message, block]).toEqual([expect.stringContaining('caniemail.com: '), 'h']);
});

test('what readers would stumble over is said, block by block', () => {
  const picture: Block = { kind: 'image', id: 'i', src: 'https://shop.test/a.png', alt: '' };
  expect(warned(designOf(picture))).toEqual(['image_only -', 'no_alt i']);
  expect(warned(designOf({ ...picture, decorative: true }, paragraph({ text: 'Enough text to read here.' })))).toEqual([]);
  expect(warned(designOf({ kind: 'button', id: 'b', label: [{ text: 'Go' }], link: '' }))).toEqual(['no_link b']);
  expect(warned(designOf({ ...paragraph({ text: 'faint' }), color: '#cccccc' } as Block))).toEqual(['low_contrast p']);
  expect(warned(designOf({ ...paragraph({ text: 'dark on dark' }), background: '#222222' } as Block))).toEqual(['low_contrast p']);
  expect(
    warned(designOf({ kind: 'html', id: 'h', html: 'x'.repeat(100_000) }, { kind: 'html', id: 'j', html: 'ü'.repeat(5_000) })),
  ).toEqual(['too_large -']);
});

test('marketing mail without a link to unsubscribe is said to have none', () => {
  const footer: Block = { kind: 'footer', id: 'f', lines: [], unsubscribe: 'Unsubscribe' };
  expect(warned(designOf(paragraph({ text: 'Hello' })), 'marketing')).toEqual(['no_unsubscribe -']);
  expect(warned(designOf(footer), 'marketing')).toEqual([]);
});
