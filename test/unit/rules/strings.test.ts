import { compileContent } from '../../../src/message/template';
import { mayReadStrings, stringsIn } from '../../../src/rules/strings';

const STRINGS = { greeting: { default: 'Hello' }, true: { default: 'Yes' }, other: { default: 'Other' } };

test.each([
  ['{{t "greeting"}}', 'greeting'],
  ["{{~ t\n'greeting' ~}}", 'greeting'],
  ['{{[t] "greeting"}}', 'greeting'],
  ['{{[t]"greeting"}}', 'greeting'],
  ['{{#if (eq ([t] "greeting") "Hi")}}x{{/if}}', 'greeting'],
  ['{{uppercase (t "greeting")}}', 'greeting'],
  ['{{t true}}', 'true'],
])('%j, which compiles to a translation, is known to read it', (html, key) => {
  expect(compileContent({ subject: '', html, text: null }).strings).toEqual([key]);
  expect(mayReadStrings([null, html])).toBe(true);
  expect(Object.keys(stringsIn(STRINGS, [html]) ?? {})).toEqual([key]);
});

test('texts without the helper read none', () => {
  expect(mayReadStrings([null, undefined, '<p>{{firstName}}, do not "shout"</p>', '{{text}} {{uppercase "x"}}'])).toBe(false);
});
