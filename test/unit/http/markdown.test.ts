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
