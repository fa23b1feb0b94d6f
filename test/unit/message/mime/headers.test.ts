import { mailboxField, textField } from '../../../../src/message/mime/headers';
import { excess } from '../../../support/checks/yardstick';

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

test.each([' ', '\t', ' \t', '\n'])('a long run of %j within a subject takes no time', async (blank) => {
  expect(await excess(() => textField('Subject', `a${blank.repeat(200_000)}b`))).toBe(0);
});
