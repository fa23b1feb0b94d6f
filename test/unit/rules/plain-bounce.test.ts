import { judgePlainReturn } from '../../../src/rules/plain-bounce';
import type { PlainReturn } from '../../../src/rules/plain-bounce';

const TO = 'ada@example.com';
const plain: Omit<PlainReturn, 'text'> = {
  envelopeFrom: '',
  from: 'mailer-daemon@mx.test',
  subject: 'failure notice',
  autoSubmitted: null,
  failedRecipients: null,
  original: '',
};
const judged = (text: string, change: Partial<PlainReturn> = {}) => judgePlainReturn({ ...plain, ...change, text }, TO);

const QMAIL = `Hi. This is the qmail-send program at mx.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${TO}>:
No mailbox (#5.1.1)
`;
const transcript = (command: string, said: string): string =>
  `The original message was received at Thu, 29 Apr 2010 00:00:00 +0900

   ----- The following addresses had permanent fatal errors -----
<${TO}>

   ----- Transcript of session follows -----
... while talking to mx.test.:
>>> ${command}
<<< ${said}
`;

test.each([
  ['qmail', QMAIL, 'hard', 'at_once'],
  ['qmail, of a full mailbox', QMAIL.replace('#5.1.1', '#5.2.2'), 'soft', 'never'],
  [
    'qmail, of a refused sender',
    `${QMAIL.replace('No mailbox (#5.1.1)', 'Connected to 192.0.2.7 but sender was rejected.')}Remote host said: 550 No\n`,
    'block',
    'never',
  ],
  [
    'qmail, by the remote host',
    `${QMAIL.replace('No mailbox (#5.1.1)', '192.0.2.7 does not like recipient.')}Remote host said: 550 No\nGiving up on 192.0.2.7.\n`,
    'hard',
    'again',
  ],
  ['a reply in one line', `Could not deliver to ${TO}.\nRemote host said: 550 5.1.1 Unknown\n`, 'hard', 'at_once'],
  ['sendmail', transcript(`RCPT To:<${TO}>`, '550 5.1.1 No'), 'hard', 'at_once'],
  ['sendmail, at DATA', transcript('DATA', '550 No'), 'block', 'never'],
  ['sendmail, at MAIL', transcript('MAIL From:<b@bounce.test>', '550 User unknown'), 'block', 'never'],
  ['quotes', `${TO}\n'550 5.1.1 No'`, 'hard', 'at_once'],
  ['a colon', `${TO}\n550: 5.1.1 No`, 'hard', 'at_once'],
  ['brackets', `${TO} [550 5.1.1]`, 'hard', 'at_once'],
  ['a field', `RECIPIENT: ${TO}\nERROR_CODE :550\nERROR : User unknown`, 'hard', 'at_once'],
  ['an enhanced code alone', `${TO}\n#5.1.1`, 'hard', 'at_once'],
  ['French', `Votre message n'a pas pu être remis à ${TO}.\n550 5.1.1 inconnu`, 'hard', 'at_once'],
  ['German', `Ihre Nachricht an ${TO} wurde nicht zugestellt:\n550 Postfach voll`, 'soft', 'never'],
  ['Japanese', `${TO}\n宛先不明のため配信できませんでした。\n550 5.1.1`, 'hard', 'at_once'],
  ['words about us', `${TO}\n550 5.1.1 Your IP is on a block list`, 'block', 'never'],
  ['the recipient named after another', `<bob@example.com>: 552 full\n\n<${TO}>: 550 5.1.1 No\n`, 'hard', 'at_once'],
  ['another named after the recipient', `<bob@example.com>: 550 5.1.1 No\n\n<${TO}>: 552 full\n`, 'soft', 'never'],
])('a bounce in words with a code: %s', (_form, text, bounceType, suppresses) => {
  expect(judged(text)).toMatchObject({ kind: 'bounced', bounceType, suppresses });
  expect(judged(text, { autoSubmitted: 'auto-replied' })).toMatchObject({ kind: 'bounced', bounceType, suppresses });
});

test('the reason is the line with the code', () => {
  expect(judged(`Could not deliver to ${TO}.\nRemote host said: 550 5.1.1 Unknown\n`)).toMatchObject({
    reason: 'Remote host said: 550 5.1.1 Unknown',
  });
});

test.each([
  ['English', `Your message to ${TO} could not be delivered.`],
  [
    'Exchange',
    `Your message did not reach some or all of the intended recipients.\n\n  ${TO} on 1/1/2020\n    The recipient name is not recognized`,
  ],
  ['Domino', `Failed to deliver to ${TO}\nUser ada not listed in Domino Directory`],
  ['a dead mailbox', `${TO}: this user is unknown.`],
  ['German', `Ihre Nachricht an ${TO} konnte nicht zugestellt werden.`],
  ['French', `Impossible de remettre votre message à ${TO}.`],
  ['Spanish', `No se ha podido entregar su mensaje a ${TO}.`],
  ['Italian', `Impossibile recapitare il messaggio a ${TO}.`],
  ['Portuguese', `Sua mensagem para ${TO} não foi entregue.`],
  ['Dutch', `Uw bericht aan ${TO} kon niet worden bezorgd.`],
  ['Japanese', `${TO} 宛のメールは配信できませんでした。`],
])('a permanent bounce in words alone suppresses nobody: %s', (_form, text) => {
  expect(judged(text)).toMatchObject({ kind: 'bounced', bounceType: 'block', suppresses: 'never' });
  expect(judged(text, { envelopeFrom: 'postmaster@mx.test' })).toEqual({ kind: 'nothing' });
  expect(judged(text, { subject: 'Out of office' })).toEqual({ kind: 'nothing' });
});

test('one that was tried for as long as its mail system does is soft', () => {
  const text = `${QMAIL.replace('No mailbox (#5.1.1)', "I wasn't able to establish an SMTP connection. (#4.4.1)")}I'm not going to try again; this message has been in the queue too long.\n`;
  expect(judged(text)).toMatchObject({ bounceType: 'soft', suppresses: 'never' });
});

test('where the notice names nobody, the returned message does', () => {
  const notice = 'Could not be delivered: user unknown.\n';
  expect(judged(`${notice}\n--- Below this line is a copy of the message.\n\nTo: ${TO}\n`)).toMatchObject({ kind: 'bounced' });
  expect(judged(notice, { original: `To: ${TO}\n` })).toMatchObject({ kind: 'bounced' });
  expect(judged(`<bob@example.com>: ${notice}`, { original: `To: ${TO}\n` })).toEqual({ kind: 'nothing' });
});

test.each([
  ['from a person', { envelopeFrom: 'bob@example.com', from: 'bob@example.com' }, QMAIL],
  ['of an answering machine without a code', { from: 'ada@example.com', autoSubmitted: 'auto-replied' }, `${TO} cannot be reached.`],
  ['out of office', { subject: 'Out of office: failure' }, QMAIL],
  ['Abwesenheit', { subject: 'Abwesenheitsnotiz: Hallo' }, QMAIL],
  ['about a vacation', {}, `${TO} is on vacation; this message was not delivered to him.`],
  ['about another address', {}, QMAIL.replaceAll(TO, 'bob@example.com')],
  ['temporary', {}, QMAIL.replace('#5.1.1', '#4.4.1')],
  ['temporary by its code', {}, `${TO} could not be delivered yet:\n451 4.4.1 No`],
  ['a warning', {}, `THIS IS A WARNING MESSAGE ONLY.\n${QMAIL}`],
  ['late', {}, `Delivery to ${TO} has been delayed:\n550 No`],
  ['late, by its subject', { subject: 'Delayed Mail (still being retried)' }, QMAIL],
  ['late in German', {}, `Die Zustellung an ${TO} hat sich verzögert. Sie wurde noch nicht zugestellt.`],
  ['late in French', {}, `La remise à ${TO} est retardée.`],
  ['no failure', { subject: 'Hello' }, `Hello ${TO}, room 550 is free.`],
  ['with its code in the copy alone', { subject: 'Hello' }, `Hello ${TO}.\n--- Below this line is a copy of the message.\n(#5.1.1)`],
])('a message in words that is %s means nothing', (_what, change, text) => {
  expect(judged(text, change)).toEqual({ kind: 'nothing' });
});
