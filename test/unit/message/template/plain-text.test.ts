import type { Values } from '../../../../src/message/template';
import { render } from '../../../support/data/render-for-ada';

/** With a raw value in it, the text is made from each rendered HTML: both ways have to agree. */
function textOf(html: string, values: Values = {}): string {
  const derived = render({ html }, values).text;
  expect(render({ html: `${html}<i {{nothing}}></i>` }, values).text).toBe(derived);
  return derived;
}

const SHOWN = '<p>Hello</p>';

describe('hidden parts are not in the text', () => {
  test.each([
    '<div style="display:none;max-height:0">Preview &#847;&zwnj;&nbsp;</div>',
    '<div style="color:red; DISPLAY : None !IMPORTANT">x</div>',
    '<div style="display:none!important">x</div>',
    '<div style="display:/* now */none">x</div>',
    "<DIV STYLE='display&#58;none'>x</DIV>",
    '<span style=display:none>x</span>',
    '<div style="display:block;display:none">x</div>',
    '<div style="display:none !important;display:block">x</div>',
    '<div style="mso-hide:all">x</div>',
    '<p style="visibility: hidden">x</p>',
    '<div hidden>x <div>y</div> <p>z</div>',
    '<div hidden="until-found">x</div>',
    '<p hidden>x',
    '<ul><li hidden>x</ul>',
    '<table><tr style="display:none"><td>x<tr></table>',
    '<template><p>x</p></template>',
    '<div hidden><a href="https://e.example">x</a><img alt="y"></div>',
    '<img hidden alt="x"><img style="display:none" alt="y">',
    '<div style="display:none"><br><span>x</div>',
    '<div><span style="display:none">x</div>',
    '<!-- x --><!--[if mso]><p>x</p><![endif]-->',
    '<style>x</style><script>x</script><title>x</title>',
    '<div hidden>{{name}}{{#if name}}<b>{{name}}</b>{{/if}}</div>',
  ])('%s', (html) => {
    expect(textOf(html + SHOWN, { name: 'x' })).toBe('Hello');
  });

  test.each([
    ['<p style="display:none;display:block">x</p>', 'x'],
    ['<p style="display:block !important;display:none">x</p>', 'x'],
    ['<p style="background:url(display:none)">x</p>', 'x'],
    ['<p class="hidden" data-style="display:none" aria-hidden="true">x</p>', 'x'],
    ['<p title="display:none">x</p>', 'x'],
    ['a<span hidden>b</span>c', 'ac'],
    ['<p>a<p hidden>b<p>c', 'a\n\nc'],
    ['<ul><li>a<li hidden>b<li>c</ul>', '- a\n- c'],
    ['<table><tr><td>a<td hidden>b<td>c</table>', 'a c'],
    ['<!--[if !mso]><!--><a href="https://e.example" style="mso-hide:all">Go</a><!--<![endif]-->', 'Go [https://e.example]'],
  ])('%s is %j', (html, text) => {
    expect(textOf(html)).toBe(text);
  });

  test.each([
    ['<p style="display:{{show}}">x</p>', { show: 'none' }, ''],
    ['<p style="display:{{show}}">x</p>', { show: 'block' }, 'x'],
    ['<p style="{{style}}">x</p>', { style: 'display:none' }, ''],
    ['<p style="color:red;{{#if gone}}display:none{{/if}}">x</p>', { gone: true }, ''],
    ['<p style="color:red;{{#if gone}}display:none{{/if}}">x</p>', { gone: false }, 'x'],
    ['<p {{#if gone}}hidden{{/if}}>x</p>', { gone: true }, ''],
    ['<p style="color:{{color}};display:none">x</p>', { color: 'red' }, ''],
    ['<p style="color:{{color}}">x</p>', { color: 'red' }, 'x'],
  ])('%s with %j is %j', (html, values, text) => {
    expect(textOf(html, values)).toBe(text);
  });
});

describe('filler characters are not in the text', () => {
  test.each([
    ['<p>Hello&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;</p>', 'Hello'],
    ['<p>Hello &#847; &#8199; &#65279; &shy; &#8203; &#8288;there</p>', 'Hello there'],
    ['<p>Hello&nbsp;\u200c\u200b\u200d\u200e\u200f\ufeff&nbsp;there</p>', 'Hello there'],
    ['<p>Donau&shy;dampf&shy;schiff</p>', 'Donaudampfschiff'],
    ['<p>&#8203;</p><p>Hi</p>', 'Hi'],
    [
      '<p>\u{1f469}\u200d\u{1f680} \u{1f3f3}\ufe0f\u200d\u{1f308} \u{1f469}\u{1f3fd}\u200d\u{1f680}</p>',
      '\u{1f469}\u200d\u{1f680} \u{1f3f3}\ufe0f\u200d\u{1f308} \u{1f469}\u{1f3fd}\u200d\u{1f680}',
    ],
    ['<p>\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645&zwnj;&nbsp;&zwnj;</p>', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['<p>\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937</p>', '\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937'],
    ['<p>\u05d0\u200f! (a\u200e)</p>', '\u05d0\u200f! (a\u200e)'],
    ['<p>Auf\u200clage x\u200dy</p>', 'Auflage xy'],
  ])('%j', (html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

describe('a head ends where the standard ends it', () => {
  test.each([
    '<html><head><title>x</title><meta charset=utf-8><p>Hello</p>',
    '<head><style>x</style>Hello',
    '<head><link rel="x"><table><tr><td>Hello</table>',
    '<html><head><title>x</title></head><body><p>Hello',
    '<head><title>x</title><body>Hello',
    '<head>x</head><body>Hello',
    '<head></html>Hello',
    '<head><noscript><img></noscript><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml></head><body>Hello</body>',
    '<p>Hel<head>lo',
  ])('%s', (html) => {
    expect(textOf(html)).toBe('Hello');
  });
});

test('hostile styles and tags take time by their length', () => {
  const started = process.cpuUsage().user;
  for (const html of [
    `<p style="${'/*'.repeat(200_000)}">x</p>`,
    `<p style="${';'.repeat(200_000)}display:none">x</p>`,
    `${'<div hidden>'.repeat(30_000)}x`,
    `${'<span hidden>x</b>'.repeat(20_000)}`,
    `<p>${'\u200d\u034f'.repeat(200_000)}</p>`,
  ])
    render({ html });
  expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(5);
});
