import { mailboxField, textField } from '../../src/mail/headers';

test.each([
  [' \t Hello  there \t ', 'Hello  there'],
  ['\r\nHello\0', 'Hello'],
  [' \t\r\n ', ''],
  ['', ''],
])('%j is %j on one line', (text, line) => {
  expect(textField('Subject', text).value).toBe(line);
  expect(mailboxField('From', { address: 'a@hello.test', name: text }).value).toBe(
    line === '' ? 'a@hello.test' : `"${line}" <a@hello.test>`.replaceAll(/"(\w+)"/g, '$1'),
  );
});

test('a million blanks within a subject take no time', () => {
  const begun = process.cpuUsage();
  for (const blank of [' ', '\t', ' \t', '\n']) textField('Subject', `a${blank.repeat(1_000_000)}b`);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(10_000);
});
