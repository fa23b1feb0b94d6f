import { classifyRefusal } from '../../../src/rules/bounce-class';
import { readCodes, statusIn } from '../../../src/rules/reply-codes';
import { REFUSAL_WORDS, plainWords, ruleFor } from '../../../src/rules/refusal-words';

const wordings = REFUSAL_WORDS.flatMap((rule) => rule.said.map((said) => [rule.class, rule.reason, said] as const));

test.each(wordings)('%s (%s): %s', (wanted, reason, said) => {
  expect(ruleFor(said, statusIn(said))).toMatchObject({ class: wanted });
  expect(REFUSAL_WORDS.some((rule) => rule.reason === reason && rule.words.test(plainWords(said)))).toBe(true);
});

/** What is said, as the class of the bounce; `hard?` suppresses when it comes again. */
test.each([
  ['block', '550 too many connections from your network this hour'],
  ['block', '553 rejected: see https://bl.example/?ip=192.0.2.1'],
  ['block', '550 5.1.0 <b@x.example> is not allowed to send'],
  ['block', '550 5.1.0 Address rejected.'],
  ['block', '550 5.7.1 Sorry'],
  ['block', '550 Sorry (#5.7.1)'],
  ['block', '554 No'],
  ['block', '550 5.1.1 User unknown: your server is on a blacklist'],
  ['block', '550 Verification failed for <b+abc@bounce.example.com>: user unknown'],
  ['block', '550 Sender address verification failed: address does not exist'],
  ['block', '554 5.7.1 <ada@example.com>: Recipient address rejected: Access denied'],
  ['block', '550-5.7.26 This mail has been blocked because the sender is unauthenticated'],
  ['hard', '550 5.4.1 [ada@example.com]: Recipient address rejected: Access denied. [x.prod.example]'],
  ['hard', '550 5.7.1 User ada@example.com unknown'],
  ['hard', '554 5.1.1 ada@example.com mailbox does not exist'],
  ['hard', '503 5.5.2 User unknown'],
  ['hard', '550 5.4.4 Invalid domain name'],
  ['hard', '550 5.1.1 User unknown, please check the address and try again'],
  ['hard', '550 5.2.1 <ada@example.com>... Addressee unknown, relay=[192.0.2.7]'],
  ['hard', '550 Sorry (#5.1.1)'],
  ['hard', '5.1.1'],
  ['soft', '550 5.1.1 User is over quota'],
  ['soft', '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents'],
  ['soft', '550 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour'],
  ['soft', '550 5.2.2 Sorry'],
  ['soft', '552 Sorry'],
  ['hard?', '550 Rejected'],
  ['hard?', '551 Not one of ours'],
  ['hard?', '553 Sorry'],
  ['hard?', '550 Mail to www.unknown-user.example/no-such-user is not wanted'],
  ['hard?', '550 Delivery to unknown.user@spam.example refused'],
  ['hard?', '550 Refused by mx.policy.example.com'],
  ['hard?', '550 Respammed, unusered'],
])('%s: %s', (wanted, said) => {
  const { code, status } = readCodes(said);
  const verdict = classifyRefusal({ phase: 'rcpt', code, enhanced: status, words: said });
  expect(`${verdict.bounceType}${verdict.suppresses === 'again' ? '?' : ''}`).toBe(wanted);
  expect(verdict.suppresses === 'at_once').toBe(wanted === 'hard');
});

test('words say nothing of the recipient where the refusal came before it was named', () => {
  for (const phase of ['greeting', 'ehlo', 'mail'] as const) {
    const verdict = classifyRefusal({ phase, code: 550, enhanced: null, words: '550 User unknown' });
    expect(verdict).toEqual({ kind: 'bounced', bounceType: 'block', suppresses: 'never' });
  }
});

test.each([
  ['550-5.1.1 No', 550, '5.1.1'],
  ["'550 5.1.1 No'", 550, '5.1.1'],
  ['550: 5.1.1', 550, '5.1.1'],
  ['[550 5.1.1]', 550, '5.1.1'],
  ['ERROR_CODE :550', 550, null],
  ['550 Sorry (#5.1.1)', 550, '5.1.1'],
  ["5.1.0 - Unknown address error 550-'5.1.1 <ada@example.com>'", 550, '5.1.1'],
  ['Remote host said: 550 No', 550, null],
  ['(reason: 550 No)', 550, null],
  ['"554 No"', 554, null],
  ['#5.1.1', null, '5.1.1'],
  ['<<< 552 Full', 552, null],
  ['Room 550 is closed', null, null],
  ['at 192.5.1.1 and 5.1.1.7', null, null],
  ['mx[192.0.2.7]:587 answered', null, null],
])('codes in %s', (text, code, status) => {
  expect(readCodes(text)).toEqual({ code, status });
});

test('a long text is looked through in a moment', () => {
  const started = performance.now();
  for (const part of ['user ', 'mailbox is ', 'no such ', 'a@b ', 'x.', '550 ', 'https://a ']) ruleFor(part.repeat(100_000), null);
  expect(performance.now() - started).toBeLessThan(5_000);
});
