import { judgeReport } from '../../../src/rules/delivery-report';
import { complaintType } from '../../../src/rules/feedback-report';
import { judgePlainReturn } from '../../../src/rules/plain-bounce';
import { readFieldBlocks } from '../../../src/rules/report-fields';
import { isGivenUp } from '../../../src/rules/soft-bounces';

const TO = 'ada@example.com';

const failed = (status: string, said: string, to = TO): string =>
  `Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: ${said}\n`;

test.each([
  ['5.1.1', 'smtp; 550 5.1.1 Unknown', 'hard', true],
  ['5.1.10', 'smtp;550 5.1.10 RecipientNotFound', 'hard', true],
  ['5.2.1', 'smtp; 550 5.2.1 Disabled', 'hard', true],
  ['5.0.0', 'smtp; 550 No such user', 'hard', true],
  ['5.0.0', 'smtp; 550 5.1.1 No such user', 'hard', true],
  ['5.0.0', 'smtp; 552 Mailbox full', 'soft', false],
  ['5.0.0', 'x-unix; user unknown', 'block', false],
  ['5.2.2', 'smtp; 552 5.2.2 Over quota', 'soft', false],
  ['5.3.4', 'smtp; 552 5.3.4 Too large', 'soft', false],
  ['5.7.1', 'smtp; 550 5.7.1 Blocked', 'block', false],
  ['5.1.8', 'smtp; 550 5.1.8 Bad sender', 'block', false],
  ['5.6.0', 'smtp; 554 5.6.0 Spam', 'block', false],
  ['4.4.7', 'smtp; 451 4.4.7 Expired', 'soft', false],
  ['4.4.1', 'X-Postfix; connect to mx.test: Connection timed out', 'soft', false],
  ['5.4.4', 'X-Postfix; Host or domain name not found. Name service error for name=x.test', 'hard', true],
  ['5.4.4', 'X-Postfix; unable to route', 'block', false],
])('a report of %s, %s is %s', (status, said, bounceType, suppress) => {
  expect(judgeReport(failed(status, said), '', TO)).toMatchObject({ kind: 'bounced', bounceType, suppress });
});

test('a refusal of the content or of us says nothing of the recipient', () => {
  const report = failed('5.0.0', 'smtp; 550 Refused');
  expect(judgeReport(report, 'said: 550 Refused (in reply to RCPT TO command)', TO)).toMatchObject({ bounceType: 'hard' });
  expect(judgeReport(report, 'said: 550 Refused (in reply to end of DATA command)', TO)).toMatchObject({
    bounceType: 'block',
    suppress: false,
  });
  expect(judgeReport(report, 'said: 550 Refused (in reply to MAIL FROM command)', TO)).toMatchObject({
    bounceType: 'block',
    suppress: false,
  });
});

const block = (to: string, action: string): string =>
  `Final-Recipient: rfc822; ${to}\nAction: ${action}\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No`;

test('the message’s own recipient decides among several in a report, in any case of its letters', () => {
  const both = `Reporting-MTA: dns; mx\n\n${block('other@example.com', 'failed')}\n\n${block('ADA@Example.com', 'delivered')}\n`;
  expect(judgeReport(both, '', TO).kind).toBe('delivered');
  const reverse = `Reporting-MTA: dns; mx\n\n${block('other@example.com', 'delivered')}\n\n${block('Ada@example.com', 'failed')}\n`;
  expect(judgeReport(reverse, '', TO).kind).toBe('bounced');
});

test('a forwarded message bounced when it reached no mailbox', () => {
  const list = (second: string): string =>
    `Reporting-MTA: dns; mx\n\n${block('one@list.test', 'failed')}\n\n${block('two@list.test', second)}\n`;
  expect(judgeReport(list('failed'), '', TO).kind).toBe('bounced');
  expect(judgeReport(list('relayed'), '', TO).kind).toBe('nothing');
});

test.each(['delayed', 'relayed', 'expanded', 'unheard-of'])('%s changes nothing', (action) => {
  expect(judgeReport(`Reporting-MTA: dns; mx\n\n${block(TO, action)}\n`, '', TO)).toEqual({ kind: 'nothing' });
});

test('a report without recipients says nothing', () => {
  expect(judgeReport('', '', TO).kind).toBe('nothing');
  expect(judgeReport('Reporting-MTA: dns; mx\n', '', TO).kind).toBe('nothing');
});

const plain = { envelopeFrom: '', from: 'mailer-daemon@mx.test', subject: 'failure notice', autoSubmitted: null, failedRecipients: null };
const QMAIL = `I wasn't able to deliver your message to the following addresses.\n\n<${TO}>:\nNo mailbox (#5.1.1)\n`;

test('a bounce in words is believed when it says all of it', () => {
  expect(judgePlainReturn({ ...plain, text: QMAIL }, TO)).toMatchObject({ kind: 'bounced', bounceType: 'hard', suppress: true });
  expect(judgePlainReturn({ ...plain, text: QMAIL.replace('#5.1.1', '#5.2.2') }, TO)).toMatchObject({ bounceType: 'soft' });
  const remote = `Could not deliver to ${TO}.\nRemote host said: 550 5.1.1 Unknown\n`;
  expect(judgePlainReturn({ ...plain, text: remote }, TO)).toMatchObject({
    kind: 'bounced',
    bounceType: 'hard',
    reason: 'Remote host said: 550 5.1.1 Unknown',
  });
});

test.each([
  ['from a person', { envelopeFrom: 'bob@example.com', from: 'bob@example.com', text: QMAIL }],
  ['an auto-reply', { autoSubmitted: 'auto-replied', text: QMAIL }],
  ['out of office', { subject: 'Out of office: failure', text: QMAIL }],
  ['about another address', { text: QMAIL.replaceAll(TO, 'bob@example.com') }],
  ['without a code', { text: QMAIL.replace('(#5.1.1)', '') }],
  ['temporary', { text: QMAIL.replace('#5.1.1', '#4.4.1') }],
  ['a warning', { text: `THIS IS A WARNING MESSAGE ONLY.\n${QMAIL}` }],
  ['without a word of failure', { subject: 'Hello', text: `${TO} (#5.1.1)` }],
  ['with the code in the copy alone', { text: `Could not deliver to ${TO}.\n--- Below this line is a copy of the message.\n(#5.1.1)` }],
])('a message in words that is %s means nothing', (_what, change) => {
  expect(judgePlainReturn({ ...plain, ...change }, TO)).toEqual({ kind: 'nothing' });
});

test('fields are read as written: folded, in any case, the first of a name', () => {
  const [first, second] = readFieldBlocks('A: 1\r\n 2\r\nB : x\r\nb: y\r\nno field\r\n more\r\n\r\n\r\nC:\r\n');
  expect([...(first ?? [])]).toEqual([
    ['a', '1 2'],
    ['b', 'x'],
  ]);
  expect([...(second ?? [])]).toEqual([['c', '']]);
  expect(readFieldBlocks('A: 1\n\n'.repeat(1_000))).toHaveLength(100);
});

test.each([
  ['abuse', 'abuse'],
  ['Fraud', 'fraud'],
  ['not-spam', null],
  ['auth-failure', null],
  ['', null],
])('feedback of type %s is a complaint: %s', (type, expected) => {
  expect(complaintType(`Feedback-Type: ${type}\nVersion: 1\n`)).toBe(expected);
});

const DAY = 86_400_000;
const soft = (day: number) => ({ kind: 'soft', at: new Date(day * DAY) }) as const;
const delivered = (day: number) => ({ kind: 'delivered', at: new Date(day * DAY) }) as const;

test('three soft bounces over three days or more give an address up, unless something was delivered between', () => {
  expect(isGivenUp([soft(1), soft(4), soft(2)])).toBe(true);
  expect(isGivenUp([soft(1), soft(2), soft(3)])).toBe(false);
  expect(isGivenUp([soft(1), soft(9)])).toBe(false);
  expect(isGivenUp([soft(1), delivered(2), soft(3), soft(9)])).toBe(false);
  expect(isGivenUp([delivered(0), soft(1), soft(3), soft(9)])).toBe(true);
  expect(isGivenUp([])).toBe(false);
});
