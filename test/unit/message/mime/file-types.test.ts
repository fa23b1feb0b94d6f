import { simpleParser } from 'mailparser';
import { outgoingMail, composed } from '../../../support/data/outgoing-mail';

test.each<[string, Buffer, string]>([
  ['text/plain', Buffer.from('José'), 'text/plain; charset=utf-8'],
  ['TEXT/CSV', Buffer.from('a,b'), 'TEXT/CSV; charset=utf-8'],
  ['text/plain; format=flowed', Buffer.from('Ü'), 'text/plain; format=flowed; charset=utf-8'],
  ['text/plain', Buffer.from([0x4a, 0xe9]), 'text/plain'],
  ['text/plain;Charset=iso-8859-1', Buffer.from([0x4a, 0xe9]), 'text/plain; charset=iso-8859-1'],
  ['text/x; title="a; charset=x"', Buffer.from('a'), 'text/x; title="a; charset=x"; charset=utf-8'],
  ['text/csv; charset="UTF-8"; header=present', Buffer.from('a'), 'text/csv; charset=UTF-8; header=present'],
  ['application/json', Buffer.from('{}'), 'application/json'],
  ['text/plain; charset="utf-8\r\nBcc: x@example.com"', Buffer.from('a'), 'application/octet-stream'],
  ['message/rfc822; charset=utf-8', Buffer.from('a'), 'application/octet-stream'],
])('a file of type %j gets in mail the type that it has', async (contentType, content, expected) => {
  const message = await composed(outgoingMail({ html: null, text: '.', attachments: [{ filename: 'f', contentType, content }] }));
  expect(message.toString('latin1')).not.toMatch(/[^\t\r\n -~]|[^\r]\n|\r[^\n]/);
  const types = [...message.toString('latin1').matchAll(/^Content-Type: (.*(?:\r\n .*)*)/gm)].map(([, type = '']) =>
    type.replace(/\s+/g, ' '),
  );
  expect(types.at(-1)).toBe(`${expected}; name=f`);
});

test.each([
  ['<p>Hi</p>', ['multipart/mixed', 'multipart/alternative', 'text/plain', 'text/html', 'text/calendar', 'text/calendar']],
  [null, ['multipart/mixed', 'multipart/alternative', 'text/plain', 'text/calendar', 'text/calendar']],
])('an invitation beside %j is an alternative of the texts, and a file', async (html, kinds) => {
  const content = Buffer.from('BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Grüße\r\nEND:VCALENDAR\r\n');
  const invitation = { filename: 'invite.ics', contentType: 'text/calendar; method=REQUEST', content };
  const message = await composed(outgoingMail({ html, text: 'Hi', attachments: [invitation] }));
  expect(message.toString('latin1')).not.toMatch(/[^\t\r\n -~]|[^\r]\n|\r[^\n]/);
  const raw = message.toString('latin1');
  expect([...raw.matchAll(/^Content-Type: ([a-z]+\/[a-z]+)/gm)].map(([, kind]) => kind)).toEqual(kinds);
  expect(raw.match(/Content-Type: text\/calendar; method=REQUEST; charset=utf-8/g)).toHaveLength(2);
  expect(raw.match(/Content-Disposition: attachment; filename=invite.ics/g)).toHaveLength(1);
  const parsed = await simpleParser(message);
  expect(parsed.text).toContain('Hi');
  expect(parsed.attachments.at(-1)).toMatchObject({ filename: 'invite.ics', content });
});

test('a calendar without a method is a file', async () => {
  const file = { filename: 'a.ics', contentType: 'text/calendar', content: Buffer.from('BEGIN:VCALENDAR') };
  const raw = (await composed(outgoingMail({ html: '<p>Hi</p>', text: 'Hi', attachments: [file] }))).toString('latin1');
  expect(raw.match(/text\/calendar/g)).toHaveLength(1);
});
