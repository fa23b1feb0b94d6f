import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { FixedText } from '../../../../src/message/mime/pieces';
import { ContentCompiler } from '../../../../src/message/template';
import type { CompiledContent, ContentSource, Decoration, Values } from '../../../../src/message/template';
import { dkimSignatureOf } from '../../../support/checks/dkim-signature';
import { nastyText } from '../../../support/data/nasty-text';
import { outgoingMail, composed, aDkimKey } from '../../../support/data/outgoing-mail';

const compiler = new ContentCompiler();

const SYSTEM = {
  unsubscribeUrl: `https://t.example/u/${'u'.repeat(60)}`,
  preferencesUrl: 'https://t.example/p/1',
  viewInBrowserUrl: 'https://t.example/v/1',
  year: 2026,
};

const signing = aDkimKey();

/** Links in two pieces where the content names the URL, as mail has them. */
const trackLink: NonNullable<Decoration['trackLink']> = (url, isShared) => {
  const target = Buffer.from(url).toString('base64url');
  return isShared
    ? [`https://t.example/t/c/${'m'.repeat(60)}.`, new FixedText(`${target}.${'s'.repeat(28)}`)]
    : `https://t.example/${target}`;
};

async function mailOf(content: CompiledContent, values: Values, decoration: Decoration): Promise<Buffer> {
  const { subject, html, text } = content.write(values, SYSTEM, decoration);
  return composed({ ...outgoingMail({ subject, dkim: signing.key }), html, text });
}

/** As a reader of mail gets it: line breaks of one kind, no NULs; the parser drops the last line breaks. */
const asRead = (text: string): string =>
  Buffer.from(text)
    .toString()
    .replace(/\r\n|\r/g, '\n')
    .replaceAll('\0', '')
    .replace(/\n+$/, '');

const squeezed = (text: string): string => Buffer.from(text).toString().replace(/\s+/g, ' ').trim();

const anyPart = fc.oneof(
  { weight: 4, arbitrary: nastyText(6).map((text) => text.replace(/[{}\\\0]/g, '')) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '{{name}}',
      '{{city | "no = city."}}',
      '{{{raw}}}',
      '{{#if flag}}',
      '{{#unless flag}}',
      '{{else}}',
      '{{/if}}',
      '{{/unless}}',
      '{{#each list}}',
      '{{this}}',
      '{{@index}}',
      '{{/each}}',
      '{{uppercase name}}',
      '{{unsubscribeUrl}}',
      '\r\n{{name}}\r\n',
      '{{name}}\n.{{city}}',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '<p>',
      '</p>\n',
      '<br>',
      '<pre>',
      '</pre>',
      '<a href="https://shop.example/a?x=1&amp;y=2">',
      "<a href='https://shop.example/{{name}}'>",
      '<a href=https://shop.example/b>',
      '</a>',
      '<li>',
      `<td style="${'color:red;'.repeat(12)}">`,
      '<body>',
      '</body>',
    ),
  },
);
const anyTemplate = fc.array(anyPart, { maxLength: 14 }).map((parts) => parts.join(''));
const anyValues = fc.record({
  name: nastyText(8),
  city: fc.option(nastyText(4)),
  raw: nastyText(6),
  flag: fc.boolean(),
  list: fc.array(nastyText(3), { maxLength: 4 }),
});

/** Null when the template is refused. */
function compiled(source: ContentSource) {
  try {
    return compiler.compile(source);
  } catch {
    return null;
  }
}

test('what an independent parser reads is what is rendered, whether for many messages or for one, and the signature holds', async () => {
  let read = 0;
  const texts = [anyTemplate, anyTemplate, fc.option(anyTemplate)] as const;
  await fc.assert(
    fc.asyncProperty(...texts, anyValues, fc.boolean(), fc.boolean(), async (subject, html, text, values, isMarketing, isForOne) => {
      const source = { subject, html, text, previewText: 'Hi {{name}}' };
      const content = compiled(source);
      fc.pre(content !== null);
      const decoration: Decoration = { trackLink, pixelUrl: 'https://t.example/o.gif', unsubscribeFooter: isMarketing };
      const rendered = content.render(values, SYSTEM, decoration);
      const mail = await mailOf(isForOne ? compiler.compileForOne(source) : content, values, decoration);

      const lines = mail.toString('latin1').split('\r\n');
      expect(lines.filter((line) => line.length > 998 || /[^\t -~]/.test(line) || line.startsWith('.'))).toEqual([]);
      const parsed = await simpleParser(mail, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true });
      expect(asRead(parsed.html || '')).toBe(asRead(rendered.html));
      expect(asRead(parsed.text ?? '')).toBe(asRead(rendered.text));
      expect(squeezed(parsed.subject ?? '')).toBe(squeezed(rendered.subject));
      expect(dkimSignatureOf(mail).holdsUnder(signing.publicKey)).toBe(true);
      read += 1;
    }),
    { numRuns: 400 },
  );
  expect(read).toBeGreaterThan(300);
});

test.each([
  ['<pre></p>\n{{name}}</pre>end', 'Ada\n\nend'],
  ['<p>a</p>{{#if name}}{{/if}}<p>b</p>', 'a\n\nb'],
  ['<p>a</p>{{#if none}}<p>b</p>{{/if}}<p>{{none}}</p><p>c</p>', 'a\n\nc'],
  ['<p>a</p>{{none | "\n\n\n\n"}}<p>b</p>', 'a\n\nb'],
  ['{{breaks}}<p>a</p>{{breaks}}{{breaks}}<p>b</p>{{breaks}}', 'a\n\nb'],
  ['<pre>a\n\n\n</pre>{{name}}<pre>\n\n\nb</pre>', 'a\n\nAda\n\nb'],
])('a text part has no more than one empty line in a row, from any source: %j', (html, text) => {
  const source = { subject: 's', html, text: null };
  const values = { name: 'Ada', breaks: '\n\n\n ' };
  const decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };
  for (const content of [compiler.compile(source), compiler.compileForOne(source)]) {
    const rendered = content.render(values, SYSTEM, decoration).text;
    expect(rendered.replace(/^ +| +$/gm, '').replace(/\n{3,}/g, '\n\n')).toBe(text);
    expect(rendered).not.toMatch(/\n{3}/);
  }
});

test('what every message of a content says is encoded once', () => {
  const source = { subject: 's', html: '<p>One {{name}} two <a href="https://shop.example/a">three</a></p>', text: null };
  const decoration: Decoration = { trackLink, pixelUrl: null, unsubscribeFooter: true };
  const fixedOf = (name: string) => {
    const { html, text } = compiler.compile(source).write({ name }, SYSTEM, decoration);
    return [...html, ...text].filter((piece) => piece instanceof FixedText && !piece.text.includes('s'.repeat(28)));
  };
  const first = fixedOf('Ada');
  expect(first.length).toBeGreaterThan(6);
  fixedOf('Bob').forEach((piece, index) => expect(piece).toBe(first[index]));
});
