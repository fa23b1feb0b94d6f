import { ContentCompiler } from '../../../../src/message/template';
import type { ContentSource, Decoration, Rendered, SystemValues, Values } from '../../../../src/message/template';

const compiler = new ContentCompiler();

const SYSTEM: SystemValues = {
  unsubscribeUrl: 'https://t.example/u/1?a=1&b=2',
  preferencesUrl: 'https://t.example/p/1',
  viewInBrowserUrl: 'https://t.example/v/1',
  year: 2026,
};
const PLAIN: Decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };

function render(source: Partial<ContentSource>, values: Values = {}, decoration: Partial<Decoration> = {}): Rendered {
  return compiler.compile({ subject: 's', html: null, text: null, ...source }).render(values, SYSTEM, { ...PLAIN, ...decoration });
}

/** With a raw value in it, a template is read anew at each rendering: both ways have to agree. */
function bothWays(html: string, values: Values, trackLink: Decoration['trackLink']): string {
  const planned = render({ html }, values, { trackLink }).html;
  expect(render({ html: `${html}{{{nothing}}}` }, values, { trackLink }).html).toBe(planned);
  return planned;
}

describe('links', () => {
  const tracked = (html: string, values: Values = {}) => {
    const seen: string[] = [];
    const page = render({ html }, values, { trackLink: (url) => `https://t.example/c?${seen.push(url)}&x"` }).html;
    expect(bothWays(html, values, (url) => `https://t.example/c?${seen.indexOf(url) + 1}&x"`)).toBe(page);
    return { page, seen };
  };

  test.each<[string, string, Values]>([
    ['<a href="https://e.example/?a=1&amp;b=2">x</a>', 'https://e.example/?a=1&b=2', {}],
    ["<A class=x HREF = 'HTTP://e.example'>x</A>", 'HTTP://e.example', {}],
    ['<area href=https://e.example/>', 'https://e.example/', {}],
    ['<a href="  https://e.example/\n\tx ">x</a>', 'https://e.example/x', {}],
    ['<a href="{{url}}">x</a>', 'https://e.example/?a=1&b=<2>', { url: 'https://e.example/?a=1&b=<2>' }],
    ['<a href="https://e.example/{{#if a}}a{{else}}b{{/if}}?{{n}}">x</a>', 'https://e.example/a?1', { a: 1, n: 1 }],
    ['<a title="{{n}}" href="https://e.example/&#x41;&copy=1">x</a>', 'https://e.example/A&copy=1', { n: '>' }],
    ['<!--[if !mso]><!--><a href="https://e.example">x</a><!--<![endif]-->', 'https://e.example', {}],
  ])('%s is tracked', (html, url, values) => {
    const { page, seen } = tracked(html, values);
    expect(seen).toEqual([url]);
    expect(page).toContain('https://t.example/c?1&amp;x&quot;');
  });

  test('the place of an unquoted value gets quotes when it needs them', () => {
    expect(render({ html: '<a href=https://e.example>x</a>' }, {}, { trackLink: () => 'https://t.example/c.1' }).html).toBe(
      '<a href=https://t.example/c.1>x</a>',
    );
    expect(render({ html: '<a href=https://e.example>x</a>' }, {}, { trackLink: () => 'https://t.example/a b' }).html).toBe(
      '<a href="https://t.example/a b">x</a>',
    );
  });

  test.each([
    '<a href="mailto:a@e.example">x</a>',
    '<a href="tel:+1">x</a>',
    '<a href="sms:+15550100?body=Hi">x</a>',
    '<a href="whatsapp://send?text=Hi">x</a>',
    "<a href='webcal://e.example/a.ics'>x</a>",
    '<a href="geo:52.5,13.4">x</a>',
    '<a href=myapp://reset?token=a.b>x</a>',
    '<a href="com.example.app:/cb?u=https://e.example">x</a>',
    '<a href="/a?next=javascript:x">x</a>',
    '<a href="cid:logo">x</a>',
    '<a href="#top">x</a>',
    '<a href="/relative?a=1&b=2">x</a>',
    '<a href="">x</a>',
    '<a href>x</a>',
    '<a href="https://e.example" data-no-track>x</a>',
    '<a DATA-NO-TRACK="" href="https://e.example">x</a>',
    '<link href="https://e.example/a.css"><base href="https://e.example">',
    '<img src="https://e.example/a.png">',
    '<p title=\'<a href="https://e.example">\'>',
    '<style>a[href="https://e.example"]{} <a href="https://e.example"></style>',
    '<script>"<a href=\'https://e.example\'>"</script>',
    '<title><a href="https://e.example"></title><textarea><a href="https://e.example"></textarea>',
    '<!-- <a href="https://e.example"> --><!--[if mso]><a href="https://e.example"><![endif]-->',
    '<![CDATA[ <a href="https://e.example" ><? <a ?>',
    '< a href="https://e.example">',
    '</a href="https://e.example" <a href="https://e.example',
  ])('%s stays as it is', (html) => {
    const { page, seen } = tracked(html);
    expect({ page, seen }).toEqual({ page: html, seen: [] });
  });

  test('the links of the platform are not tracked', () => {
    const html =
      '<a href="{{unsubscribeUrl}}">u</a><a href="{{{unsubscribeUrl}}}">u</a><a href="{{viewInBrowserUrl}}">v</a><a href="{{preferencesUrl}}">p</a>';
    expect(tracked(html)).toEqual({
      page:
        '<a href="https://t.example/u/1?a&#x3D;1&amp;b&#x3D;2">u</a><a href="https://t.example/u/1?a=1&b=2">u</a>' +
        '<a href="https://t.example/v/1">v</a><a href="https://t.example/p/1">p</a>',
      seen: [],
    });
  });

  test.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript&colon;alert(1)',
    'javascript&#58;alert(1)',
    'javascript&#x3a;alert(1)',
    '&#106;avascript:alert(1)',
    'java&Tab;script:alert(1)',
    'java&NewLine;script&colon;alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://e.example/1',
    'java script:alert(1)',
    'java&shy;script:alert(1)',
    '&ZeroWidthSpace;VBScript&Tab;&colon;x',
    'd\u0007ata:text/html,x',
  ])('%j becomes #', (url) => {
    expect(bothWays(`<a href="${url}">x</a><area href='${url}'><link href="${url}">`, {}, null)).toBe(
      `<a href="#">x</a><area href='#'><link href="#">`,
    );
    expect(render({ html: '{{{raw}}}' }, { raw: `<a x=1 href="${url}">` }).html).toBe('<a x=1 href="#">');
  });

  test.each(['javascript:alert(1)', ' JavaScript:x', 'java\tscript:x', '\u0000\u0001javascript:x', 'data:text/html,x'])(
    'a value cannot bring %j',
    (url) => {
      const html = '<a href="{{url}}">x</a><base href=\'{{url}}\'><a xlink:href="{{url}}">';
      expect(bothWays(html, { url }, (same) => same)).toBe('<a href="#">x</a><base href=\'#\'><a xlink:href="#">');
    },
  );

  test('a value may bring the scheme of an app', () => {
    expect(bothWays('<a href="{{url}}">x</a>', { url: 'myapp://reset?t=1' }, () => 'tracked')).toBe(
      '<a href="myapp://reset?t&#x3D;1">x</a>',
    );
  });

  test('no more than 1,000 links of a message are tracked, in their order', () => {
    const html = '{{#each list}}<a href="https://e.example/{{this}}">x</a>{{/each}}';
    const page = bothWays(html, { list: Array.from({ length: 1_001 }, (_, index) => index) }, () => 'https://t.example/c');
    expect(page.match(/t\.example/g)).toHaveLength(1_000);
    expect(page.endsWith('<a href="https://e.example/1000">x</a>')).toBe(true);
  });
});

describe('pixel, footer and preview', () => {
  const pixelUrl = 'https://t.example/o.gif?a=1&b=2';
  const PIXEL = '<img src="https://t.example/o.gif?a=1&amp;b=2" width="1" height="1" alt="" style="display:none">';

  test.each([
    ['<body><p>x</p></body></html>', `<body><p>x</p>${PIXEL}</body></html>`],
    ['<p>x</p>', `<p>x</p>${PIXEL}`],
    ['<body>a</body><!-- </body> --></BODY >b', `<body>a</body><!-- </body> -->${PIXEL}</BODY >b`],
    ['<body>{{#if a}}</body>{{/if}}', `<body>${PIXEL}</body>`],
    ['<body title="</body>">{{{a}}}</body>', `<body title="</body>">1${PIXEL}</body>`],
  ])('the pixel in %s', (html, expected) => {
    expect(render({ html }, { a: 1 }, { pixelUrl }).html).toBe(expected);
  });

  test('the footer stands before the end of the body and in the text, once and visible', () => {
    const { html, text } = render({ html: '<body><p>Hi</p></body>' }, {}, { unsubscribeFooter: true, pixelUrl });
    expect(html).toMatch(
      /^<body><p>Hi<\/p><p lang="en" style="[^"]*">[^<]+<a href="https:\/\/t\.example\/u\/1\?a=1&amp;b=2"[^>]*>Unsubscribe<\/a> · <a href="https:\/\/t\.example\/p\/1"[^>]*>Email preferences<\/a><\/p><img/,
    );
    expect(html).not.toMatch(/<p [^>]*display:none/);
    expect(text).toBe('Hi\n\nUnsubscribe: https://t.example/u/1?a=1&b=2\nEmail preferences: https://t.example/p/1\n');
  });

  test('the footer names the sender and the postal address of the content, escaped, in both parts', () => {
    const source = { subject: 's', html: '<p>Hi</p>', text: null, brand: { name: 'A & B', address: '<Main> St 1\n\n1010 Vienna' } };
    const { html, text } = compiler.compile(source).render({}, SYSTEM, { ...PLAIN, unsubscribeFooter: true });
    expect(html).toMatch(/Email preferences<\/a><br>A &amp; B<br>&lt;Main&gt; St 1<br>1010 Vienna<\/p>$/);
    expect(text).toMatch(/\nEmail preferences: https:\/\/t\.example\/p\/1\n\nA & B\n<Main> St 1\n1010 Vienna\n$/);
    const other = compiler.compile({ ...source, brand: { name: null, address: 'Elsewhere' } });
    expect(other.render({}, SYSTEM, { ...PLAIN, unsubscribeFooter: true }).html).toMatch(/Email preferences<\/a><br>Elsewhere<\/p>$/);
  });

  test.each([
    ['de-AT', 'Abmelden'],
    ['pt-BR', 'Cancelar a inscrição'],
    ['ja', 'Unsubscribe'],
    [null, 'Unsubscribe'],
  ])('the footer for a contact with the locale %s says %s', (locale, word) => {
    const content = compiler.compile({ subject: 's', html: '<p>x</p>', text: null });
    const values = content.valuesFor({}, { contactId: 'c', email: 'a@b.test', firstName: null, lastName: null, locale, data: null });
    const { html, text } = content.render(values, SYSTEM, { ...PLAIN, unsubscribeFooter: true });
    expect(html).toContain(`>${word}</a>`);
    expect(text).toContain(`\n\n${word}: ${SYSTEM.unsubscribeUrl}`);
  });

  test('there is no footer when the body has an unsubscribe link, nor unasked', () => {
    expect(render({ html: '<a href="{{unsubscribeUrl}}">out</a>' }, {}, { unsubscribeFooter: true }).html.match(/<a /g)).toHaveLength(1);
    expect(render({ html: '<p>x</p>', text: 'x' }, {})).toMatchObject({ subject: 's', html: '<p>x</p>', text: 'x' });
  });

  test('the preview is a hidden block at the top of the body, escaped once', () => {
    const source = { html: '<html><head></head><body class="a">x</body></html>', previewText: '{{a}} & more' };
    expect(render(source, { a: '<b>\n' }).html).toMatch(
      /<body class="a"><div style="display:none[^"]*">&lt;b&gt; {2}&amp; more(&#847;&zwnj;&nbsp;)+<\/div>x<\/body>/,
    );
    expect(render({ ...source, html: 'x' }, { a: 1 }).html).toMatch(
      /^<div style="display:none[^"]*">1 &amp; more(&#847;&zwnj;&nbsp;)+<\/div>x$/,
    );
    expect(render({ html: 'x', previewText: '{{none}}' }).html).toBe('x');
  });
});

describe('the part that is not given', () => {
  test('text alone becomes HTML in pre', () => {
    expect(render({ text: 'Hi {{a}}\n<b> & "c"' }, { a: "<O'Neill>" }, { pixelUrl: 'https://t.example/o.gif' }).html).toBe(
      '<pre>Hi &lt;O&#x27;Neill&gt;\n&lt;b&gt; &amp; &quot;c&quot;</pre><img src="https://t.example/o.gif" width="1" height="1" alt="" style="display:none">',
    );
  });

  test.each<[string, string, Values]>([
    [
      '<h1>Hello {{a}}</h1><p>One\n  two</p><p>Three<br>four<br><br>five</p>',
      'Hello <A> & B\n\nOne two\n\nThree\nfour\n\nfive',
      { a: '<A> & B' },
    ],
    ['<a href="https://e.example/?a=1&amp;b={{n}}">See <b>this</b></a>.', 'See this [https://e.example/?a=1&b=7].', { n: 7 }],
    [
      '<a href="{{url}}">{{url}}</a> <a href="mailto:a@e.example">a@e.example</a> <a href="#x">up</a>',
      'https://e.example a@e.example up',
      { url: 'https://e.example' },
    ],
    ['<a href="https://e.example"><img src="x" alt="Buy {{n}}"></a><img src="y">', 'Buy 7 [https://e.example]', { n: 7 }],
    ['<ul>{{#each list}}<li>{{this}}</li>{{/each}}</ul><p>end</p>', '- a\n- b\n\nend', { list: ['a', 'b'] }],
    ['<p>Hi</p>{{#if no}}<p>A</p>{{/if}}<p>B</p>', 'Hi\n\nB', {}],
    ['<p>Hi</p>{{#if yes}}<p>A</p>{{else}}<p>C</p>{{/if}}<p>B</p>', 'Hi\n\nA\n\nB', { yes: 1 }],
    ['<div>a {{#each list}} {{this}}{{/each}}</div>', 'a a b', { list: ['a', 'b'] }],
    ['{{#each list}}<br>{{this}}{{/each}}', 'a\n\nb', { list: ['a', 'b'] }],
    ['<table><tr><td>a</td><td>{{n}}</td></tr><tr><td>c</td></tr></table>', 'a 7\nc', { n: 7 }],
    ['<head><title>t</title><style>{{n}}</style>x</head><body><script>s</script>y<!-- z --></body>', 'y', { n: 7 }],
    ['<pre>a\n  b</pre>', 'a\n  b', {}],
    ['&notin; &NotEqualTilde; ?a=1&copy=2', '∉ ≂̸ ?a=1&copy=2', {}],
    ['&lt;b&gt; &eacute;&nbsp;&hellip;&#8364;&#x80; &unknown; R&D', '<b> é …€€ &unknown; R&D', {}],
    ['a{{{raw}}}b', 'ax <yb', { raw: '<b>x</b> &lt;y' }],
    ['<p {{attribute}}>Hi {{a}}</p>', 'Hi <A>', { attribute: 'class', a: '<A>' }],
    ['<div>a<hr>b</div>', 'a\n\n---\n\nb', {}],
  ])('HTML alone becomes text: %s', (html, expected, values) => {
    expect(render({ html }, values).text).toBe(expected);
  });
});
