import { judgeReport, readFieldBlocks, complaintType } from '../../../src/rules/delivery-report';
import { isGivenUp, isRefusedAgain } from '../../../src/rules/bounce-class';

const TO = 'ada@example.com';

const failed = (status: string, said: string, to = TO): string =>
  `Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: ${said}\n`;

test.each([
  ['5.1.1', 'smtp; 550 5.1.1 Unknown', 'hard', 'at_once'],
  ['5.1.10', 'smtp;550 5.1.10 RecipientNotFound', 'hard', 'at_once'],
  ['5.2.1', 'smtp; 550 5.2.1 Disabled', 'hard', 'at_once'],
  ['5.0.0', 'smtp; 550 No such user', 'hard', 'at_once'],
  ['5.0.0', 'smtp; 550 5.1.1 No such user', 'hard', 'at_once'],
  ['5.0.0', 'smtp; 552 Mailbox full', 'soft', 'never'],
  ['5.0.0', 'x-unix; user unknown', 'hard', 'at_once'],
  ['5.2.2', 'smtp; 552 5.2.2 Over quota', 'soft', 'never'],
  ['5.3.4', 'smtp; 552 5.3.4 Too large', 'soft', 'never'],
  ['5.7.1', 'smtp; 550 5.7.1 Blocked', 'block', 'never'],
  ['5.1.8', 'smtp; 550 5.1.8 Bad sender', 'block', 'never'],
  ['5.6.0', 'smtp; 554 5.6.0 Spam', 'block', 'never'],
  ['4.4.7', 'smtp; 451 4.4.7 Expired', 'soft', 'never'],
  ['4.4.1', 'X-Postfix; connect to mx.test: Connection timed out', 'soft', 'never'],
  ['5.4.4', 'X-Postfix; Host or domain name not found. Name service error for name=x.test', 'hard', 'at_once'],
  ['5.4.4', 'X-Postfix; unable to route', 'block', 'never'],
  ['5.1.1', 'smtp; 550 5.7.1 No', 'block', 'never'],
  ['5.1.1', 'smtp; 552 5.2.2 No', 'soft', 'never'],
  ['5.1.1', 'smtp; 552 No', 'soft', 'never'],
  ['5.1.1', 'smtp; 550 DMARC policy rejects this message', 'block', 'never'],
  ['5.0.0', 'smtp; 550 Your IP 192.0.2.7 is listed at bl.spamcop.net', 'block', 'never'],
  ['5.1.1', 'smtp; 550 No', 'hard', 'at_once'],
  ['5.0.0', 'smtp; 550 No', 'hard', 'again'],
  ['5.7.1', 'smtp; 550 5.1.1 No', 'hard', 'at_once'],
  ['5.0.0', 'smtp; 5.1.0 - Unknown address error 550-"5.1.1 No" (delivery attempts: 0)', 'hard', 'at_once'],
  ['5.2.0', 'X-Postfix; host mx.test said: 552 5.2.2 No (in reply to RCPT TO command)', 'soft', 'never'],
])('a report of %s, %s is %s', (status, said, bounceType, suppresses) => {
  expect(judgeReport(failed(status, said), '', TO)).toMatchObject({ kind: 'bounced', bounceType, suppresses });
});

test('a refusal of the content or of us says nothing of the recipient', () => {
  const report = failed('5.0.0', 'smtp; 550 Refused');
  expect(judgeReport(report, 'said: 550 Refused (in reply to RCPT TO command)', TO)).toMatchObject({ bounceType: 'hard' });
  expect(judgeReport(report, 'said: 550 Refused (in reply to end of DATA command)', TO)).toMatchObject({
    bounceType: 'block',
    suppresses: 'never',
  });
  expect(judgeReport(report, 'said: 550 Refused (in reply to MAIL FROM command)', TO)).toMatchObject({
    bounceType: 'block',
    suppresses: 'never',
  });
});

const block = (to: string, action: string): string =>
  `Final-Recipient: rfc822; ${to}\nAction: ${action}\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No`;

test('the message’s own recipient decides among several in a report, in any case of its letters', () => {
  const both = `Reporting-MTA: dns; mx\n\n${block('other@example.com', 'failed')}\n\n${block('ADA@Example.com', 'delivered')}\n`;
  expect(judgeReport(both, '', TO)?.kind).toBe('delivered');
  const reverse = `Reporting-MTA: dns; mx\n\n${block('other@example.com', 'delivered')}\n\n${block('Ada@example.com', 'failed')}\n`;
  expect(judgeReport(reverse, '', TO)?.kind).toBe('bounced');
});

test('a forwarded message bounced when it reached no mailbox', () => {
  const list = (second: string): string =>
    `Reporting-MTA: dns; mx\n\n${block('one@list.test', 'failed')}\n\n${block('two@list.test', second)}\n`;
  expect(judgeReport(list('failed'), '', TO)?.kind).toBe('bounced');
  expect(judgeReport(list('relayed'), '', TO)?.kind).toBe('nothing');
});

test.each(['delayed', 'relayed', 'expanded', 'unheard-of'])('%s changes nothing', (action) => {
  expect(judgeReport(`Reporting-MTA: dns; mx\n\n${block(TO, action)}\n`, '', TO)).toEqual({ kind: 'nothing' });
});

test('a report without usable fields is left to the words beside it', () => {
  expect(judgeReport('', '', TO)).toBeNull();
  expect(judgeReport('Reporting-MTA: dns; mx.test\n', '', TO)).toBeNull();
  expect(judgeReport(`Final-Recipient: rfc822; ${TO}\n`, '', TO)).toBeNull();
});

test('a status of class 5 without an action is a failure, and so are other words for it', () => {
  expect(judgeReport(`Final-Recipient: rfc822; ${TO}\nStatus: 5.1.1\n`, '', TO)).toMatchObject({ bounceType: 'hard' });
  expect(judgeReport(`Final-Recipient: rfc822; ${TO}\nStatus: 4.1.1\n`, '', TO)).toBeNull();
  for (const action of ['failure', 'undeliverable', 'expired'])
    expect(judgeReport(block(TO, action), '', TO)).toMatchObject({ bounceType: 'hard' });
});

const vague = `Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; ${TO}\nAction: failed\nStatus: 5.0.0\n`;

test.each([
  [`The following failed:\n\n  ${TO}\n    Unknown user\n\nAnother paragraph.`, 'hard', 'at_once'],
  [`<${TO}>: unknown user`, 'hard', 'at_once'],
  [`<${TO}>:\n\nThis user is not known here: no such user.`, 'hard', 'at_once'],
  [`550 5.1.1 <${TO}>... No`, 'hard', 'at_once'],
  [`<${TO}>: mailbox full`, 'soft', 'never'],
  [`<${TO}>: 550 5.7.1 No`, 'block', 'never'],
  [`<${TO}>: refused\n\n<bob@example.com>: unknown user`, 'block', 'never'],
  ['Unknown user', 'block', 'never'],
])('a report that knows nothing is judged by what its notice says of the recipient: %s', (notice, bounceType, suppresses) => {
  expect(judgeReport(vague, notice, TO)).toMatchObject({ bounceType, suppresses });
});

test.each([
  ['>>> DATA\n<<< 550 No', 'block', 'never'],
  ['>>> MAIL From:<b@bounce.test>\n<<< 550 No', 'block', 'never'],
  [`>>> MAIL From:<b@bounce.test>\n<<< 250 Ok\n>>> RCPT To:<${TO}>\n<<< 550 No`, 'hard', 'again'],
  [`>>> RCPT To:<${TO}>\n<<< 550 No\n>>> DATA\n<<< 503 Need RCPT`, 'hard', 'again'],
  [`--> RCPT To:<${TO}>\n<-- 550 No`, 'hard', 'again'],
])('a transcript says during which command a message was refused: %s', (transcript, bounceType, suppresses) => {
  expect(judgeReport(failed('5.0.0', 'smtp; 550 No'), transcript, TO)).toMatchObject({ bounceType, suppresses });
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
  expect(isGivenUp([soft(1), hard(2 * DAY), soft(3), soft(9)])).toBe(true);
  expect(isGivenUp([])).toBe(false);
});

const HOUR = 3_600_000;
const hard = (at: number) => ({ kind: 'hard', at: new Date(at) }) as const;

test('an address that is refused as unknown is dead when it was so an hour ago or earlier, and took nothing between', () => {
  const now = new Date(10 * DAY);
  expect(isRefusedAgain([hard(now.getTime() - HOUR)], now)).toBe(true);
  expect(isRefusedAgain([hard(now.getTime() - HOUR + 1)], now)).toBe(false);
  expect(isRefusedAgain([hard(DAY), hard(now.getTime() - 1)], now)).toBe(true);
  expect(isRefusedAgain([hard(DAY), delivered(2)], now)).toBe(false);
  expect(isRefusedAgain([delivered(0), hard(DAY)], now)).toBe(true);
  expect(isRefusedAgain([soft(1), soft(2)], now)).toBe(false);
  expect(isRefusedAgain([], now)).toBe(false);
});
