import { classifyFailure } from '../../../src/rules/bounce-class';
import { providerAt } from '../../../src/sending/exchangers';
import { checkDelay } from '../../../src/rules/policy-refusal';

const said = (line: string) => {
  const [, code = '', enhanced = null, words = ''] = /^(\d{3})[- ](?:(\d\.\d+\.\d+) )?(.*)$/.exec(line) ?? [];
  return { phase: 'final_dot' as const, code: Number(code), enhanced, words: enhanced === null ? words : `${enhanced} ${words}` };
};

test.each([
  ['550 5.7.26 This mail has been blocked because the sender is unauthenticated.', 'authentication'],
  ['550 5.7.26 Unauthenticated email from example.com is not accepted due to domain’s DMARC policy.', 'authentication'],
  [
    '550 5.7.515 Access denied, sending domain EXAMPLE.COM does not meet the required authentication level. The sender’s domain needs to pass DMARC.',
    'authentication',
  ],
  ['554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes', 'authentication'],
  ['550 5.7.25 The IP address sending this message does not have a PTR record setup', 'ptr'],
  ['550 5.7.27 This mail has been blocked because SPF authentication did not pass for this message.', 'spf'],
  ['550 5.7.30 This mail has been blocked because DKIM authentication did not pass for this message.', 'dkim'],
  ['550 5.7.509 Access denied, sending domain example.com does not pass DMARC verification and has a DMARC policy of reject.', 'dmarc'],
  ['550 5.7.1 DMARC policy rejects this message', 'dmarc'],
  ['550 5.7.29 This mail has been blocked because the message was not sent over a TLS connection', 'tls'],
])('%s', (line, policy) => {
  expect(classifyFailure(said(line), 'direct')).toEqual({ kind: 'bounced', bounceType: 'block', suppresses: 'never', policy });
});

test.each([
  ['421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1', 'volume'],
  ['421 4.7.26 This mail has been rate limited because it is unauthenticated.', 'authentication'],
  ['421 4.7.32 This mail has been rate limited because the From: header isn’t aligned', 'dmarc'],
])('for now: %s', (line, policy) => {
  expect(classifyFailure(said(line), 'direct')).toEqual({ kind: 'retry', policy });
});

test.each([
  '550 5.1.1 The email account that you tried to reach does not exist',
  '552 5.2.2 Mailbox full',
  '554 5.7.1 This message has been identified as spam',
  '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required',
  '554 5.7.1 192.0.2.7 found on one or more DNSBLs',
  '550 5.7.27 Sender address has a null MX',
  '451 4.7.1 Greylisted, try again later',
])('no policy: %s', (line) => {
  expect(classifyFailure(said(line), 'direct')).not.toHaveProperty('policy');
});

test('our own next server that refuses our password is no provider', () => {
  const refused = { ...said('534 5.7.9 Authentication mechanism is too weak'), phase: 'auth' as const };
  expect(classifyFailure(refused, 'smarthost')).toEqual({ kind: 'retry' });
});

test.each([
  ['gmail-smtp-in.l.google.com', 'google'],
  ['aspmx2.googlemail.com', 'google'],
  ['example-com.mail.protection.outlook.com', 'outlook'],
  ['example-com.a-v1.mx.microsoft', 'outlook'],
  ['mta5.am0.yahoodns.net', 'yahoo'],
  ['mx01.mail.icloud.com', 'apple'],
  ['mx1.mail.example.co.uk', 'example.co.uk'],
  ['localhost', 'localhost'],
])('%s belongs to %s', (exchanger, provider) => {
  expect(providerAt(exchanger)).toBe(provider);
});

test('a hold is checked after 5 minutes, then after twice as long, up to an hour', () => {
  expect([0, 1, 2, 3, 4, 50].map((checks) => checkDelay(checks) / 60_000)).toEqual([5, 10, 20, 40, 60, 60]);
});
