import { SmtpConnection } from '../src/connection';
import type { SmtpOutcome, SmtpPhase } from '../src/transaction';
import { parseSmtpUrl } from '../src/url';
import { startSmtpServer } from '../../../test/support/servers/smtp-fault-server';
import type { SmtpFault, SmtpFaultServer, SmtpServerOptions, SmtpStage } from '../../../test/support/servers/smtp-fault-server';

const ENVELOPE = { from: 'b+1@bounce.test', to: 'ada@example.test' };
const MESSAGE = 'Subject: x\r\n\r\nhello\r\n';
/** More than a socket takes at once, so that the server can end it midway. */
const HUGE = `Subject: x\r\n\r\n${'y'.repeat(70)}\r\n`.repeat(200_000);
const SHORT = { connect: 300, greeting: 300, command: 300, dataBlock: 300, finalDot: 300 };

const servers: SmtpFaultServer[] = [];
const connections: SmtpConnection[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Case extends SmtpServerOptions {
  readonly message?: string;
  readonly timeouts?: Partial<typeof SHORT>;
}

async function attempt({
  message = MESSAGE,
  timeouts,
  ...options
}: Case): Promise<{ outcome: SmtpOutcome; server: SmtpFaultServer; connection: SmtpConnection }> {
  const server = await startSmtpServer(options);
  servers.push(server);
  const login = options.auth === undefined ? '' : 'user:pass@';
  const route = parseSmtpUrl(`smtp://${login}127.0.0.1:${server.port}/?tls=${options.tls === undefined ? 'off' : 'insecure'}`);
  const connection = new SmtpConnection({ route, clientName: 'client.test', ...(timeouts && { timeouts }) });
  connections.push(connection);
  return { outcome: await connection.send(ENVELOPE, message), server, connection };
}

/** Stage of the server, phase that the client must report, and what the server has to offer for it to come to that. */
const STAGES: [SmtpStage, SmtpPhase, SmtpServerOptions][] = [
  ['greeting', 'greeting', {}],
  ['ehlo', 'ehlo', {}],
  ['starttls', 'starttls', { tls: 'starttls' }],
  ['auth', 'auth', { auth: { user: 'user', pass: 'pass' } }],
  ['mail', 'mail', {}],
  ['rcpt', 'rcpt', {}],
  ['data', 'data', {}],
  ['dot', 'final_dot', {}],
];
const EVERYWHERE = STAGES.flatMap(([stage, phase, options]) =>
  [true, false].map((pipelining) => ({ stage, phase, options: { ...options, pipelining }, pipelining })),
);
const withFault = (stage: SmtpStage, fault: SmtpFault) => ({ script: { [stage]: fault } });

describe.each(EVERYWHERE)('at $stage (pipelining: $pipelining)', ({ stage, phase, options }) => {
  test.each(['451 4.3.0 later', '550 5.1.1 no such user', '421 4.3.2 closing'])('a refusal: %s', async (reply) => {
    const { outcome, server, connection } = await attempt({ ...options, ...withFault(stage, { reply }) });
    const [code, enhanced] = reply.split(' ');
    expect(outcome).toEqual({
      accepted: false,
      phase,
      cause: 'reply',
      reply: { code: Number(code), enhanced, text: reply.slice(4) },
      inDoubt: false,
      message: `refused at ${phase}: ${code} ${enhanced}`,
    });
    expect(server.messages).toHaveLength(0);
    const usable = ['mail', 'rcpt', 'data', 'final_dot'].includes(phase) && code !== '421';
    expect(connection.open).toBe(usable);
  });

  test.each(['reset', 'close'] as const)('the server ends the connection: %s', async (fault) => {
    const { outcome, connection } = await attempt({ ...options, ...withFault(stage, fault) });
    expect(outcome).toMatchObject({ accepted: false, phase, cause: 'reset', reply: null, inDoubt: stage === 'dot' });
    expect(connection.open).toBe(false);
  });

  test('silence, and one byte now and then, run into the time-out of the whole phase', async () => {
    const begun = performance.now();
    const attempts = await Promise.all(
      (['hang', { drip: 20 }] as const).map((fault) => attempt({ ...options, ...withFault(stage, fault), timeouts: SHORT })),
    );
    for (const { outcome } of attempts)
      expect(outcome).toMatchObject({ accepted: false, phase, cause: 'timeout', inDoubt: stage === 'dot' });
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  test('what is no SMTP', async () => {
    const { outcome } = await attempt({ ...options, ...withFault(stage, { garbage: 'HTTP/1.1 400 Bad Request\r\n' }) });
    expect(outcome).toMatchObject({ accepted: false, phase, cause: 'protocol', reply: null, inDoubt: stage === 'dot' });
  });

  test('a reply that never ends', async () => {
    const { outcome } = await attempt({ ...options, ...withFault(stage, { garbage: `250-${'x'.repeat(60)}\r\n`.repeat(1_100) }) });
    expect(outcome).toMatchObject({ accepted: false, phase, cause: 'protocol', inDoubt: stage === 'dot' });
  });

  test('a reply of the wrong class', async () => {
    const reply = stage === 'data' ? '250 2.0.0 fine' : '354 what';
    const { outcome } = await attempt({ ...options, ...withFault(stage, { garbage: `${reply}\r\n` }) });
    expect(outcome).toMatchObject({ accepted: false, phase, cause: 'protocol', inDoubt: stage === 'dot' });
  });
});

describe.each(EVERYWHERE.filter(({ stage }) => stage !== 'auth'))('at $stage (pipelining: $pipelining)', ({ stage, options }) => {
  test('a reply of 1,000 lines is read to its end', async () => {
    const { outcome, server } = await attempt({ ...options, ...withFault(stage, { lines: 1000 }) });
    expect(outcome).toMatchObject({ accepted: true, reply: { code: 250 } });
    expect(outcome.reply!.text.length).toBeLessThanOrEqual(1000);
    expect(server.messages).toHaveLength(1);
  });

  test('a slow answer is waited for', async () => {
    const { outcome, server } = await attempt({ ...options, ...withFault(stage, { delayMs: 40 }) });
    expect(outcome.accepted).toBe(true);
    expect(server.messages).toHaveLength(1);
  });
});

test.each([true, false])('the connection breaks in the middle of a long message (pipelining: %s): not in doubt', async (pipelining) => {
  const { outcome, server } = await attempt({ pipelining, script: { body: 'reset' }, message: HUGE });
  expect(outcome).toMatchObject({ accepted: false, phase: 'body', cause: 'reset', inDoubt: false });
  expect(server.counts.finalDots).toBe(0);
});

test('a server that stops reading in the middle of a long message runs into the time-out of the data block', async () => {
  const server = await startSmtpServer();
  servers.push(server);
  server.script = ({ stage }) => {
    if (stage === 'data') for (const socket of server.sockets) socket.pause();
    return {};
  };
  const connection = new SmtpConnection({
    route: parseSmtpUrl(`smtp://127.0.0.1:${server.port}/?tls=off`),
    clientName: 'c.test',
    timeouts: SHORT,
  });
  connections.push(connection);
  expect(await connection.send(ENVELOPE, HUGE)).toMatchObject({ phase: 'body', cause: 'timeout', inDoubt: false });
});

test('a refusal in the middle of a long message ends it', async () => {
  const { outcome, server, connection } = await attempt({ script: { body: { garbage: '552 5.3.4 too big\r\n' } }, message: HUGE });
  expect(outcome).toMatchObject({ phase: 'body', cause: 'reply', inDoubt: false, reply: { code: 552, enhanced: '5.3.4' } });
  expect(connection.open).toBe(false);
  expect(server.messages).toHaveLength(0);
});

test('an acceptance that comes before the end of the message is not believed', async () => {
  const { outcome, server } = await attempt({ script: { data: { reply: '354 go on\r\n250 2.0.0 accepted already' } } });
  expect(outcome).toMatchObject({ accepted: false, phase: 'body', cause: 'protocol', inDoubt: false });
  expect(server.counts.finalDots).toBe(0);
});

test('no server listens', async () => {
  const server = await startSmtpServer();
  const { port } = server;
  await server.close();
  const connection = new SmtpConnection({ route: parseSmtpUrl(`smtp://127.0.0.1:${port}`), clientName: 'client.test' });
  expect(await connection.send(ENVELOPE, MESSAGE)).toMatchObject({
    phase: 'connect',
    cause: 'refused',
    inDoubt: false,
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('replies that nothing asked for do not pile up', async () => {
  const { outcome } = await attempt({ script: { greeting: { reply: '220 hi\r\n'.repeat(40) + '220 hi' } } });
  expect(outcome).toMatchObject({ accepted: false, cause: 'protocol', inDoubt: false });
});

test('an old server is greeted with HELO', async () => {
  let greetings = 0;
  const { outcome, server } = await attempt({
    script: ({ stage }) => (stage === 'ehlo' && greetings++ === 0 ? { ehlo: { reply: '502 5.5.1 not implemented' } } : {}),
  });
  expect(outcome.accepted).toBe(true);
  expect(server.commands.slice(0, 2)).toEqual(['EHLO client.test', 'HELO client.test']);
});
