import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SmtpConnection } from '../src/connection';
import type { SmtpOutcome } from '../src/transaction';
import { parseSmtpUrl } from '../src/url';
import type { SmtpRoute } from '../src/url';
import { startSmtpServer } from '../../../test/support/servers/smtp-fault-server';
import type { SmtpFaultServer, SmtpServerOptions } from '../../../test/support/servers/smtp-fault-server';

const ENVELOPE = { from: 'b+1@bounce.test', to: 'ada@example.test' };
const MESSAGE = 'Subject: x\r\n\r\nhello\r\n';
const AUTH = { user: 'user@x', pass: 'hunter2 ü' };
const LOGIN = `${encodeURIComponent(AUTH.user)}:${encodeURIComponent(AUTH.pass)}@`;

let server: SmtpFaultServer;
let connection: SmtpConnection | null = null;

afterEach(async () => {
  connection?.destroy();
  connection = null;
  await server.close();
});

async function send(options: SmtpServerOptions, url: string, change: Partial<SmtpRoute> = {}): Promise<SmtpOutcome> {
  server = await startSmtpServer(options);
  const route = { ...parseSmtpUrl(url.replace('PORT', String(server.port))), ...change };
  connection = new SmtpConnection({ route, clientName: 'client.test', timeouts: { connect: 2_000, command: 2_000 } });
  return connection.send(ENVELOPE, MESSAGE);
}

test.each([
  ['STARTTLS when offered, certificate unchecked', { tls: 'starttls' }, 'smtp://localhost:PORT', 1],
  ['plain text when STARTTLS is not offered', {}, 'smtp://localhost:PORT', 0],
  ['plain text when configured so', { tls: 'starttls' }, 'smtp://localhost:PORT/?tls=off', 0],
  ['TLS without the check', { tls: 'starttls' }, 'smtp://127.0.0.1:PORT/?tls=insecure', 1],
  ['TLS from the first byte on', { tls: 'implicit' }, 'smtps://127.0.0.1:PORT/?tls=insecure', 0],
] as const)('a message goes over %s', async (_, options, url, secured) => {
  expect((await send(options, url)).accepted).toBe(true);
  expect(server.messages).toHaveLength(1);
  expect(server.counts.secured).toBe(secured);
  expect(server.commands.filter((line) => line.startsWith('EHLO'))).toHaveLength(1 + secured);
});

test.each([
  ['a self-signed certificate', 'starttls', { tls: 'starttls' }, 'smtp://localhost:PORT/?tls=required'],
  ['the same with implicit TLS', 'connect', { tls: 'implicit' }, 'smtps://localhost:PORT'],
  ['a server without STARTTLS', 'starttls', {}, 'smtp://localhost:PORT/?tls=required'],
  ['a server without STARTTLS, unchecked', 'starttls', {}, 'smtp://localhost:PORT/?tls=insecure'],
  ['a spoiled handshake', 'starttls', { tls: 'broken' }, 'smtp://localhost:PORT'],
  ['plain text where TLS should be', 'connect', {}, 'smtps://localhost:PORT/?tls=insecure'],
] as const)('%s: a TLS failure, and no message', async (_, phase, options, url) => {
  expect(await send(options, url)).toMatchObject({ accepted: false, phase, cause: 'tls', reply: null, inDoubt: false });
  expect(server.messages).toHaveLength(0);
  expect(server.commands.some((line) => line.startsWith('MAIL'))).toBe(false);
});

test('a certificate that is trusted passes the check, for its own name only', async () => {
  server = await startSmtpServer({ tls: 'starttls' });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'smtp-tls-'));
  const file = path.join(folder, 'ca.pem');
  await writeFile(file, server.certificate.cert);
  const program = `
    require('./src/typescript.cjs').register();
    const { SmtpConnection, parseSmtpUrl } = require('@lettermill/smtp');
    (async () => {
      for (const host of ['localhost', '127.0.0.1', '127.0.0.2']) {
        const route = parseSmtpUrl('smtp://' + host + ':${server.port}/?tls=required');
        const connection = new SmtpConnection({ route, clientName: 'client.test' });
        const outcome = await connection.send(${JSON.stringify(ENVELOPE)}, 'x');
        process.stdout.write((outcome.accepted ? 'accepted' : outcome.cause) + ' ');
        await connection.close();
      }
    })();`;
  const child = spawn(process.execPath, ['--eval', program], {
    cwd: path.resolve(__dirname, '../../..'),
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  await rm(folder, { recursive: true });
  expect(output.trim().split(' ').slice(0, 2)).toEqual(['accepted', 'accepted']);
  expect(output.trim().split(' ')[2]).not.toBe('accepted');
});

test('what a stranger injects in plain text behind STARTTLS is forgotten', async () => {
  const injected = '220 2.0.0 go\r\n250-evil.test\r\n250 AUTH PLAIN\r\n250 2.1.0 OK';
  const outcome = await send({ tls: 'starttls', script: { starttls: { reply: injected } } }, 'smtp://localhost:PORT');
  expect(outcome).toMatchObject({ accepted: true, reply: { text: '2.0.0 accepted' } });
  expect(server.counts.secured).toBe(1);
  expect(server.commands).toEqual([
    'EHLO client.test',
    'STARTTLS',
    'EHLO client.test',
    'MAIL FROM:<b+1@bounce.test>',
    'RCPT TO:<ada@example.test>',
    'DATA',
  ]);
});

test.each(['close', 'destroy'] as const)('%s ends the TCP connection under TLS too', async (how) => {
  expect((await send({ tls: 'starttls' }, 'smtp://localhost:PORT')).accepted).toBe(true);
  expect(server.sockets.size).toBe(1);
  await connection![how]();
  while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(connection!.open).toBe(false);
});

test('a reset over TLS after the final dot is in doubt', async () => {
  const outcome = await send({ tls: 'starttls', script: { dot: 'reset' } }, 'smtp://localhost:PORT');
  expect(outcome).toMatchObject({ accepted: false, phase: 'final_dot', cause: 'reset', inDoubt: true });
});

test.each(['PLAIN LOGIN', 'LOGIN', 'PLAIN', 'XOAUTH2 LOGIN'])('a login with a server that offers %s', async (mechanisms) => {
  const outcome = await send({ tls: 'starttls', auth: { ...AUTH, mechanisms } }, `smtp://${LOGIN}localhost:PORT/?tls=insecure`);
  expect(outcome.accepted).toBe(true);
  expect(server.commands.filter((line) => line.startsWith('AUTH'))).toHaveLength(1);
});

test('a wrong password is a refusal, and no report repeats it', async () => {
  const outcome = await send({ tls: 'starttls', auth: { ...AUTH, pass: 'other' } }, `smtp://${LOGIN}localhost:PORT`);
  expect(outcome).toMatchObject({ phase: 'auth', cause: 'reply', reply: { code: 535, enhanced: '5.7.8' }, inDoubt: false });
  expect(JSON.stringify(outcome)).not.toContain('hunter2');
});

test('a server that offers no way to log in', async () => {
  const outcome = await send({ auth: { ...AUTH, mechanisms: 'XOAUTH2' } }, `smtp://${LOGIN}localhost:PORT/?tls=off`);
  expect(outcome).toMatchObject({ phase: 'auth', cause: 'protocol', inDoubt: false });
});

test('the password goes without TLS only to this machine, or with tls=off', async () => {
  const local = await send({ auth: AUTH }, `smtp://${LOGIN}127.0.0.1:PORT`);
  expect(local.accepted).toBe(true);
  await server.close();
  const elsewhere = await send({ auth: AUTH }, `smtp://${LOGIN}127.0.0.1:PORT`, { host: '::ffff:127.0.0.1' });
  expect(elsewhere).toMatchObject({
    accepted: false,
    phase: 'auth',
    cause: 'tls',
    inDoubt: false,
    message: expect.stringContaining('tls=off'),
  });
  expect(server.commands.some((line) => line.startsWith('AUTH'))).toBe(false);
  await server.close();
  const allowed = await send({ auth: AUTH }, `smtp://${LOGIN}127.0.0.1:PORT/?tls=off`, { host: '::ffff:127.0.0.1' });
  expect(allowed.accepted).toBe(true);
});
