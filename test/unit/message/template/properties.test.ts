import fc from 'fast-check';
import type { Decoration } from '../../../../src/message/template';
import { attempt, joined, render, VALUES } from '../../../support/data/render-samples';

describe('links', () => {
  const JUNK = [
    'text ',
    '< ',
    '<',
    '</',
    '<b>',
    '</b >',
    '<p title="<a href=x>">',
    "<p title='>'>",
    '<!-- <a href="https://no.example"> -->',
    '<!-->',
    '<!--',
    '-->',
    '<!DOCTYPE html>',
    '<![if !mso]>',
    '<style><a href="https://no.example"></style>',
    '<script>',
    '</script>',
    '<title>',
    '</title >',
    '<body class="x">',
    '</body>',
    '<a href=javascript:x>',
    '<a href="{{bad}}">',
    '<a href="{{url}}">',
    '<a data-no-track href="{{url}}">',
    "<area href='https://e.example/{{word}}'>",
    '<a title="{{word}}" href = https://e.example/>',
    '<a href="https://e.example/{{#if zero}}a{{else}}b{{/if}}">',
    '{{word}}',
    '{{{unsubscribeUrl}}}',
    '{{#each list}}',
    '{{#if word}}',
    '{{#if no}}',
    '{{else}}',
    '{{/each}}',
    '{{/if}}',
    '"',
    "'",
    '>',
    '-',
    '!',
    '=',
    'a ',
    '&amp;',
    'é\r\n',
  ];
  const decoration: Decoration = {
    trackLink: (url) => `https://t.example/c?u=${url}&v="`,
    pixelUrl: 'https://t.example/o.gif',
    unsubscribeFooter: true,
  };

  test('a template that is planned once gives what reading each rendered HTML gives', () => {
    fc.assert(
      fc.property(joined(fc.constantFrom(...JUNK), 10), (html) => {
        const planned = attempt({ html, previewText: 'p' }, decoration);
        fc.pre(planned !== null);
        expect(planned?.html).toBe(render({ html: `{{{missing}}}${html}`, previewText: 'p' }, VALUES, decoration).html);
      }),
      { numRuns: 1_500 },
    );
  });

  const SAFE_JUNK = [
    'text ',
    '< b',
    '<b>',
    '<p title="<a href=x>" x=\'"\'>',
    '<!-- <a href="x:y"> -->',
    '<style>a<b</style>',
    '<br/>',
    '&amp;&',
    'é😀\r\n',
    "<a name='x'>",
    '{ }',
  ];
  const link = fc
    .tuple(
      fc.constantFrom('<a href=', '<A class="b"\n HREF = ', '<area x=y href='),
      fc.constantFrom('"', "'"),
      fc.webUrl({ withQueryParameters: true }),
    )
    .map(([start, quote, url]) => ({
      before: start + quote,
      url: url.replaceAll('&', '&amp;').replaceAll(/['"]/g, ''),
      after: `${quote} z>`,
    }));

  test('rewriting leaves every other byte of the HTML as written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(joined(fc.constantFrom(...SAFE_JUNK), 4), link), { maxLength: 5 }),
        fc.constantFrom('', '{{{missing}}}'),
        (parts, raw) => {
          const write = (urlOf: (url: string, index: number) => string) =>
            parts.map(([junk, { before, url, after }], index) => junk + before + urlOf(url, index) + after).join('');
          const seen: string[] = [];
          const html = write((url) => url);
          const rendered = render({ html: html + raw }, {}, { trackLink: (url) => `https://t.example/${seen.push(url) - 1}` }).html;
          expect(rendered).toBe(write((_url, index) => `https://t.example/${index}`));
          expect(seen).toEqual(parts.map(([, { url }]) => url.replaceAll('&amp;', '&')));
          expect(render({ html: html + raw }, {}).html).toBe(html);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the derived text', () => {
  const PARTS = [
    'word ',
    '<p>',
    '</p>',
    '<br>',
    '<li>',
    '<b>',
    '{{word}}',
    '{{#if no}}',
    '{{#if word}}',
    '{{#each list}}',
    '{{else}}',
    '{{/if}}',
    '{{/each}}',
    '<a href="{{url}}">',
    '</a>',
    '<head>',
    '</head>',
    '<pre>',
    '\n',
    '<td>',
  ];

  test('shows each value as often as the HTML does, outside what is dropped', () => {
    fc.assert(
      fc.property(joined(fc.constantFrom(...PARTS.filter((part) => !/head|pre/.test(part))), 12), (html) => {
        const rendered = attempt({ html }, {}, { ...VALUES, word: 'Wörd' });
        fc.pre(rendered !== null);
        const count = (text: string, what: string) => text.split(what).length - 1;
        expect(count(rendered?.text ?? '', 'Wörd')).toBe(count(rendered?.html ?? '', 'Wörd'));
        expect(count(rendered?.text ?? '', 'word')).toBe(count(rendered?.html ?? '', 'word'));
        expect(rendered?.text).not.toMatch(/<|\n{3}|^\s|\s$/);
      }),
      { numRuns: 1_500 },
    );
  });

  test('is text for any HTML', () => {
    fc.assert(
      fc.property(joined(fc.constantFrom(...PARTS, '<', '</', '<!--', '"', '&lt'), 12), (html) => {
        const rendered = attempt({ html });
        fc.pre(rendered !== null);
        expect(rendered?.text).not.toContain('\ufffc');
      }),
      { numRuns: 1_500 },
    );
  });
});
