import { rendered } from '../../../api/guides/markdown';

const html = (text: string): string => rendered(text, (href) => (href.startsWith('http') ? href : null)).html;

test('headings have the names that links use, twice the same one a number', () => {
  const { title, html: page } = rendered('# Sending `mail`\n\n## What, why & how\n\n## Über uns\n\n## Über uns\n', () => null);
  expect(title).toBe('Sending `mail`');
  expect([...page.matchAll(/ id="([^"]+)"/g)].map(([, name]) => name)).toEqual(['sending-mail', 'what-why--how', 'über-uns', 'über-uns-1']);
});

test('a link to what is not served is its text', () => {
  expect(html('[a](decisions/0001.md) [**b**](https://example.com) [c](x.md)')).toBe(
    '<p><span>a</span> <a href="https://example.com"><strong>b</strong></a> <span>c</span></p>\n',
  );
});

test('no style stands in an attribute', () => {
  const table = html('| a | b |\n| - | --: |\n| 1 | 2 |\n');
  expect(table).toContain('<td class="number">2</td>');
  expect(table).not.toContain('style=');
});

test('HTML, scripts and dangerous links are text', () => {
  const page = html('<script>alert(1)</script> <b>x</b> [y](javascript:alert(1))\n\n```ts" onload="x\n<i>\n```\n');
  expect(page).not.toMatch(/<script|<b>|<i>|href="javascript|" onload="/);
  expect(page).toContain('&lt;script&gt;');
});

test('adjacent blocks in the languages of examples are one example', () => {
  const block = (language: string): string => `\`\`\`${language}\nx\n\`\`\`\n\n`;
  const shape = (page: string): string[] => page.match(/<div class="example">|data-language="\w+"|<\/div>\n<\/div>/g) ?? [];
  expect(shape(html(block('sh') + block('ts') + block('python')))).toEqual([
    '<div class="example">',
    'data-language="curl"',
    'data-language="TypeScript"',
    'data-language="Python"',
    '</div>\n</div>',
  ]);
  expect(shape(html(block('sh') + block('json')))).toEqual(['data-language="sh"', 'data-language="json"']);
  expect(shape(html(`${block('sh')}Then:\n\n${block('ts')}`))).toEqual(['data-language="sh"', 'data-language="ts"']);
});

test('a section is a heading with the text below it, without markup', () => {
  const { sections } = rendered('# A\n\nOne *two*\n[three](x.md).\n\n## B `c`\n\n- four\n\n```sh\nfive\n```\n', () => null);
  expect(sections).toEqual([
    { level: 1, heading: 'A', anchor: 'a', text: 'One two three.' },
    { level: 2, heading: 'B c', anchor: 'b-c', text: 'four five' },
  ]);
});
