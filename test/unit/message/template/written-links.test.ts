import { writtenLinks } from '../../../../src/message/template';

test.each([
  ['<a href="https://e.test/p?u={{contactId}}">x</a>', 'https://e.test/p?u=ctc_1', 'https://e.test/p?u={{contactId}}'],
  ['<a href="https://e.test/p?u={{contactId}}&amp;c=1">x</a>', 'https://e.test/p?u=ctc_1&c=1', 'https://e.test/p?u={{contactId}}&c=1'],
  ['<AREA HREF=\' https://e.test/{{ a.b | "x" }} \'>', 'https://e.test/x', 'https://e.test/{{ a.b | "x" }}'],
  ['<a href=https://{{host}}/{{urlEncode email}}?q>x</a>', 'https://h.test/a%40b?q', 'https://{{host}}/{{urlEncode email}}?q'],
  ['<a href="{{url}}">x</a>', 'https://anything.test/', '{{url}}'],
  [
    '<a href="https://e.test/{{#if a}}one{{else}}two{{/if}}/{{id}}">x</a>',
    'https://e.test/two/7',
    'https://e.test/{{#if a}}one{{else}}two{{/if}}/{{id}}',
  ],
  ['{{#each items}}<a href="https://e.test/i/{{id}}">x</a>{{/each}}', 'https://e.test/i/9', 'https://e.test/i/{{id}}'],
  ['<a href="https://e.test/{{a}}">x</a><a href="https://e.test/fixed">y</a>', 'https://e.test/fixed', 'https://e.test/fixed'],
  ['<a href="https://e.test/{{a}}">x</a><a href="https://e.test/p/{{b}}">y</a>', 'https://e.test/p/1', 'https://e.test/p/{{b}}'],
  ['<a href="{{url}}">x</a><a href="https://e.test/{{b}}/end">y</a>', 'https://e.test/1/end', 'https://e.test/{{b}}/end'],
  ['<a href="https://e.test/{{a}}/end">x</a>', 'https://e.test/1', 'https://e.test/1'],
  ['<a href="https://e.test/aa{{x}}aa">x</a>', 'https://e.test/aa', 'https://e.test/aa'],
  ['<a href="https://e.test/">x</a>{{{raw}}}', 'https://raw.test/', 'https://raw.test/'],
  ['<p>{{! <a href="https://e.test/{{x}}"> }}</p>', 'https://e.test/1', 'https://e.test/1'],
])('in %s the link %s is %s', (html, url, written) => {
  expect(writtenLinks(html)(url)).toBe(written);
});
