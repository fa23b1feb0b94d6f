import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadServerConfig } from '../../../../src/platform/config/config';
import { aProject } from '../../../support/platform/app';
import { makeAuthority } from '../../../support/servers/certificates';
import { startInboundSmtp } from '../../../support/platform/inbound-smtp';
import type { InboundSmtp } from '../../../support/platform/inbound-smtp';
import { SmtpTalk } from '../../../support/calls/smtp-talk';

const authority = makeAuthority('The test');
const [first, second] = [authority.issue('mx.lettermill.test'), authority.issue('renewed.lettermill.test')];
const dir = mkdtempSync(path.join(os.tmpdir(), 'lettermill-inbound-'));
const [CERT, KEY] = [path.join(dir, 'mx.pem'), path.join(dir, 'mx.key')];

const started: InboundSmtp[] = [];
afterAll(async () => {
  for (const { inbound } of started) await inbound.close();
  rmSync(dir, { recursive: true, force: true });
});
const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const configWith = (settings: Readonly<Record<string, string>>) =>
  loadServerConfig({
    MONGODB_URI: 'mongodb://127.0.0.1/',
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
    APP_SECRET: 'x'.repeat(32),
    DEV_VERIFIED_DOMAINS: 'hello.test',
    ...settings,
  });

/** A server of its own with these settings, on the database of the app. */
async function start(settings: Readonly<Record<string, string>>, address?: string): Promise<InboundSmtp> {
  const smtp = await startInboundSmtp({ core: { ...app.core, config: configWith(settings) } }, undefined, address);
  started.push(smtp);
  return smtp;
}

/** Of a connection that is greeted, or refused: its talk and what was said first. */
async function greeted(port: number, proxied?: string | Buffer, from?: string): Promise<readonly [SmtpTalk, string]> {
  const talk = await SmtpTalk.open(port, from);
  if (proxied !== undefined) talk.write(proxied);
  return [talk, await talk.reply()];
}

const DATA = 'From: ada@example.com\r\nSubject: Secret\r\n\r\nHi\r\n';

/** Hands a message in on a connection that has been greeted. */
async function handIn(talk: SmtpTalk, to: string): Promise<string> {
  await talk.say('MAIL FROM:<ada@example.com>');
  await talk.say(`RCPT TO:<${to}>`);
  await talk.say('DATA');
  talk.write(DATA);
  return talk.say('.');
}

describe('STARTTLS', () => {
  test('with certificate files, what is received over TLS is stored, and a renewed file is shown to those who come later', async () => {
    writeFileSync(CERT, first.cert);
    writeFileSync(KEY, first.key);
    const smtp = await start({ INBOUND_TLS_CERT: CERT, INBOUND_TLS_KEY: KEY });
    const [talk] = await greeted(smtp.port);
    expect(await talk.say('EHLO mx.elsewhere.test')).toMatch(/STARTTLS/);
    expect(await talk.say('STARTTLS')).toMatch(/^220 /);
    const certificate = await talk.secure();
    expect([certificate.subject.CN, certificate.issuer.CN]).toEqual(['mx.lettermill.test', 'The test']);
    expect(await talk.say('MAIL FROM:<ada@example.com>')).toMatch(/^503 /);
    expect(await talk.say('EHLO mx.elsewhere.test')).not.toMatch(/STARTTLS|AUTH/);
    expect(await handIn(talk, 'secret@hello.test')).toMatch(/^250 /);
    talk.close();
    const { body } = await app.api().get('/v1/inbound?to=secret@hello.test').expect(200);
    expect(body.data).toMatchObject([{ subject: 'Secret' }]);
    writeFileSync(CERT, second.cert);
    smtp.inbound.readCertificate();
    expect(await shownBy(smtp)).toBe('mx.lettermill.test');
    writeFileSync(KEY, second.key);
    smtp.inbound.readCertificate();
    expect(await shownBy(smtp)).toBe('renewed.lettermill.test');
  });

  async function shownBy({ port }: InboundSmtp): Promise<string> {
    const [talk] = await greeted(port);
    await talk.say('EHLO mx.elsewhere.test');
    await talk.say('STARTTLS');
    const { subject } = await talk.secure();
    talk.close();
    return String(subject.CN);
  }

  test('a certificate of its own making names MX_HOST', async () => {
    expect(await shownBy(await start({ INBOUND_TLS_SELF_SIGNED: 'true' }))).toBe('mx.lettermill.test');
  });

  test('what was sent before the handshake is not taken for what comes after it', async () => {
    const { port } = await start({ INBOUND_TLS_SELF_SIGNED: 'true' });
    const [talk] = await greeted(port);
    await talk.say('EHLO mx.elsewhere.test');
    talk.write('STARTTLS\r\nEHLO injected.test\r\nMAIL FROM:<mallory@example.com>\r\n');
    expect(await talk.reply()).toMatch(/^220 /);
    await talk.secure();
    expect(await talk.say('MAIL FROM:<ada@example.com>')).toMatch(/^503 /);
    talk.close();
  });

  test.each([
    ['without the key', { INBOUND_TLS_CERT: CERT }, 'INBOUND_TLS_CERT needs INBOUND_TLS_KEY'],
    ['without the certificate', { INBOUND_TLS_KEY: KEY }, 'INBOUND_TLS_KEY needs INBOUND_TLS_CERT'],
    ['that is not there', { INBOUND_TLS_CERT: `${CERT}.gone`, INBOUND_TLS_KEY: KEY }, 'INBOUND_TLS_CERT names a file that cannot be read'],
  ])('a certificate %s does not start', async (_kind, settings, sentence) => {
    await expect(start(settings as unknown as Record<string, string>)).rejects.toThrow(sentence);
  });
});

interface Version2 {
  readonly command?: number;
  readonly family?: number;
  readonly from: readonly number[];
  readonly more?: Buffer;
}

/** A header of version 2; its other address and its ports are of no interest. */
function version2({ command = 0x21, family = 0x11, from, more = Buffer.alloc(0) }: Version2): Buffer {
  const body = Buffer.concat([Buffer.from(from), Buffer.from(from), Buffer.from(from.length > 0 ? [0x9c, 0x40, 0, 25] : []), more]);
  return Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n'), Buffer.from([command, family, body.length >> 8, body.length & 0xff]), body]);
}

describe('PROXY protocol', () => {
  const from = (address: string) => `PROXY TCP4 ${address} 127.0.0.1 40000 25\r\n`;

  test('a listed proxy names the sending host, by which limits go', async () => {
    const { port } = await start({ INBOUND_PROXIES: '127.0.0.1', INBOUND_CONNECTIONS_PER_HOST: '1' });
    const [one, greeting] = await greeted(port, from('192.0.2.1'));
    expect(greeting).toMatch(/^220 /);
    const [again, refusal] = await greeted(port, from('192.0.2.1'));
    expect(refusal).toMatch(/^421 4\.7\.0 /);
    const [other, welcome] = await greeted(port, from('192.0.2.2'));
    expect(welcome).toMatch(/^220 /);
    for (const talk of [one, again, other]) talk.close();
  });

  test('a listed proxy that does not speak it is not served', async () => {
    const { port } = await start({ INBOUND_PROXIES: '127.0.0.1' });
    const [talk, said] = await greeted(port, 'EHLO mx.elsewhere.test\r\n');
    expect(said).toMatch(/^421 4\.3\.0 /);
    talk.close();
  });

  test.each([
    ['with an address that is none', 'PROXY TCP4 192.0.2.999 127.0.0.1 40000 25\r\n'],
    ['of another family', 'PROXY TCP4 2001:db8::1 127.0.0.1 40000 25\r\n'],
    ['without its ports', 'PROXY TCP4 192.0.2.1 127.0.0.1\r\n'],
    ['that never ends', `PROXY TCP4 ${'1'.repeat(200)}`],
  ])('a line %s is not served', async (_kind, line) => {
    const { port } = await start({ INBOUND_PROXIES: '127.0.0.1' });
    const [talk, said] = await greeted(port, line);
    expect(said).toMatch(/^421 4\.3\.0 /);
    talk.close();
  });

  test('a proxy of IPv4 is known where the server listens for IPv6 too', async () => {
    const { port } = await start({ INBOUND_PROXIES: '127.0.0.1', INBOUND_CONNECTIONS_PER_HOST: '1' }, '::');
    const [one, greeting] = await greeted(port, version2({ from: [192, 0, 2, 1] }));
    expect(greeting).toMatch(/^220 /);
    const [again, refusal] = await greeted(port, from('192.0.2.1'));
    expect(refusal).toMatch(/^421 4\.7\.0 /);
    for (const talk of [one, again]) talk.close();
  });

  test('a header of version 2 names the sending host, also when it comes in pieces, with more behind it', async () => {
    const { port } = await start({ INBOUND_PROXIES: '127.0.0.1', INBOUND_CONNECTIONS_PER_HOST: '1' });
    const [one, greeting] = await greeted(port, version2({ from: [192, 0, 2, 1], more: Buffer.from('0400050000000000', 'hex') }));
    expect(greeting).toMatch(/^220 /);
    const pieces = version2({ from: [192, 0, 2, 1] });
    const again = await SmtpTalk.open(port);
    for (const at of [0, 1, 5, 12, 15, 20]) {
      again.write(pieces.subarray(at, { 0: 1, 1: 5, 5: 12, 12: 15, 15: 20 }[at]));
      await new Promise(setImmediate);
    }
    expect(await again.reply()).toMatch(/^421 4\.7\.0 /);
    const [other, welcome] = await greeted(port, version2({ from: [192, 0, 2, 2] }));
    expect(welcome).toMatch(/^220 /);
    const six = [0x20, 1, 0xd, 0xb8, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3];
    const [host, hello] = await greeted(port, version2({ family: 0x21, from: six }));
    expect(hello).toMatch(/^220 /);
    const [neighbour, refusal] = await greeted(port, version2({ family: 0x21, from: six.with(15, 4) }));
    expect(refusal).toMatch(/^421 4\.7\.0 /);
    expect(await other.say('EHLO mx.elsewhere.test')).toMatch(/^250/);
    for (const talk of [one, again, other, host, neighbour]) talk.close();
  });

  test.each([
    ['LOCAL', version2({ command: 0x20, family: 0, from: [] })],
    ['of a kind that names no host', version2({ family: 0x31, from: Array<number>(108).fill(1) })],
  ])('a header %s leaves the connection the proxy’s own', async (_kind, header) => {
    const { port } = await start({ INBOUND_PROXIES: '127.0.0.1' });
    const [talk, greeting] = await greeted(port, header);
    expect(greeting).toMatch(/^220 /);
    talk.close();
  });

  test.each([
    ['without room for its addresses', version2({ family: 0x21, from: [192, 0, 2, 1] })],
    ['of version 3', version2({ command: 0x31, from: [192, 0, 2, 1] })],
    ['that is too long', version2({ from: [192, 0, 2, 1], more: Buffer.alloc(5_000) })],
  ])('a header %s is not served', async (_kind, header) => {
    const { port } = await start({ INBOUND_PROXIES: '127.0.0.1' });
    const [talk, said] = await greeted(port, header);
    expect(said).toMatch(/^421 4\.3\.0 /);
    talk.close();
  });

  test('a proxy that hangs up before its header, or sends none, does not hold up the end of the server', async () => {
    const { port, inbound } = await start({ INBOUND_PROXIES: '127.0.0.1' });
    const gone = await SmtpTalk.open(port);
    gone.write(version2({ from: [192, 0, 2, 1] }).subarray(0, 9));
    gone.close();
    const mute = await SmtpTalk.open(port);
    const began = performance.now();
    await inbound.close();
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(await mute.reply()).toBe('');
  });

  test('a header of version 2 from a host that is not listed is not read', async () => {
    const { port } = await start({ INBOUND_PROXIES: '127.0.0.9' });
    const header = version2({ from: [192, 0, 2, 1] });
    const [early, said] = await greeted(port, header);
    expect(said).toMatch(/^421 .* You talk too soon/);
    const [late] = await greeted(port);
    late.write(header);
    expect(await late.reply()).toMatch(/^5\d\d /);
    for (const each of [early, late]) each.close();
  });

  test.each([
    ['where none is listed', {}],
    ['of a host that is not listed', { INBOUND_PROXIES: '127.0.0.9, 2001:db8::1' }],
  ])('such a line %s is a command like any other', async (_where, settings: Readonly<Record<string, string>>) => {
    const { port } = await start({ ...settings, INBOUND_CONNECTIONS_PER_HOST: '1' });
    const [talk, greeting] = await greeted(port);
    expect(greeting).toMatch(/^220 /);
    expect(await talk.say(from('192.0.2.1').trim())).toMatch(/^500 /);
    const [second, refusal] = await greeted(port);
    expect(refusal).toMatch(/^421 4\.7\.0 /);
    for (const each of [talk, second]) each.close();
  });
});

test('a host that sends too many messages a minute is put off, and others are not', async () => {
  const { port } = await start({ INBOUND_MESSAGES_PER_MINUTE: '2' });
  const [busy] = await greeted(port);
  await busy.say('EHLO mx.elsewhere.test');
  for (let message = 0; message < 2; message++) expect(await handIn(busy, 'busy@hello.test')).toMatch(/^250 /);
  expect(await busy.say('MAIL FROM:<ada@example.com>')).toMatch(/^450 4\.7\.1 /);
  const [fresh] = await greeted(port);
  await fresh.say('EHLO mx.elsewhere.test');
  expect(await fresh.say('MAIL FROM:<ada@example.com>')).toMatch(/^450 4\.7\.1 /);
  const [other] = await greeted(port, undefined, '127.0.0.5');
  await other.say('EHLO mx.elsewhere.test');
  expect(await handIn(other, 'busy@hello.test')).toMatch(/^250 /);
  for (const talk of [busy, fresh, other]) talk.close();
});
