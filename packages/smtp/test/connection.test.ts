import { SmtpConnection } from '../src/connection';
import type { SmtpOptions } from '../src/connection';
import { parseSmtpUrl } from '../src/url';
import { startSmtpServer } from '../../../test/support/servers/smtp-fault-server';
import type { SmtpFaultServer, SmtpServerOptions } from '../../../test/support/servers/smtp-fault-server';

const FROM = 'b+1@bounce.test';
const ADA = { from: FROM, to: 'ada@example.test' };
const EVE = { from: FROM, to: 'eve@example.test' };
const MESSAGE = 'Subject: x\r\n\r\nhello\r\n';

let server: SmtpFaultServer;
let connection: SmtpConnection;

async function start(
  options: SmtpServerOptions = {},
  change: Partial<SmtpOptions> & { readonly url?: (port: number) => string } = {},
): Promise<void> {
  server = await startSmtpServer(options);
  const { url = (port: number) => `smtp://127.0.0.1:${port}/?tls=off`, ...rest } = change;
  connection = new SmtpConnection({ route: parseSmtpUrl(url(server.port)), clientName: 'client.test', ...rest });
}

afterEach(async () => {
  connection.destroy();
  await server.close();
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe.each([true, false])('pipelining: %s', (pipelining) => {
  test('many messages go over one connection, each as it was', async () => {
    await start({ pipelining });
    const bodies = ['hello', '.', '..', '.\r\n.\r\n', 'a\r\n.b', '', 'no line end', 'x'.repeat(300_000), `${'y'.repeat(65_530)}\r\n.\r\n`];
    for (const body of bodies) {
      const outcome = await connection.send(ADA, `Subject: x\r\n\r\n${body}`);
      expect(outcome).toEqual({ accepted: true, reply: { code: 250, enhanced: '2.0.0', text: '2.0.0 accepted' } });
    }
    const received = server.messages.map((message) => message.raw.toString('latin1').slice('Subject: x\r\n\r\n'.length));
    expect(received).toEqual(bodies.map((body) => (body === '' || body.endsWith('\r\n') ? body : `${body}\r\n`)));
    expect(server.counts).toMatchObject({ connections: 1, finalDots: bodies.length });
    await connection.close();
    expect(server.commands.at(-1)).toBe('QUIT');
    expect(connection.open).toBe(false);
  });

  test('a report of delivery is asked for where it is wanted and offered', async () => {
    const commands = async (dsn: boolean, reportDelivery: boolean): Promise<readonly string[]> => {
      await start({ pipelining, dsn }, { reportDelivery });
      expect((await connection.send(ADA, MESSAGE)).accepted).toBe(true);
      const said = server.commands.filter((line) => /^(?:MAIL|RCPT)/.test(line));
      connection.destroy();
      await server.close();
      return said;
    };
    const bare = [`MAIL FROM:<${ADA.from}>`, `RCPT TO:<${ADA.to}>`];
    expect(await commands(true, true)).toEqual([`${bare[0]} RET=HDRS`, `${bare[1]} NOTIFY=SUCCESS,FAILURE`]);
    expect(await commands(true, false)).toEqual(bare);
    expect(await commands(false, true)).toEqual(bare);
  });

  test('a message that begins with a dot, and one of nothing but its end', async () => {
    await start({ pipelining });
    for (const raw of ['.first\r\n', '.', '']) expect((await connection.send(ADA, raw)).accepted).toBe(true);
    expect(server.messages.map((message) => message.raw.toString())).toEqual(['.first\r\n', '.\r\n', '']);
  });

  test('the connection is good for the next message after every refusal', async () => {
    await start({ pipelining });
    for (const stage of ['mail', 'rcpt', 'data', 'dot'] as const) {
      server.script = ({ to }) => (to === ADA.to ? {} : { [stage]: { reply: '550 5.7.1 no' } });
      expect(await connection.send(EVE, MESSAGE)).toMatchObject({ accepted: false, phase: stage === 'dot' ? 'final_dot' : stage });
      server.script = {};
      expect((await connection.send(ADA, MESSAGE)).accepted).toBe(true);
    }
    expect(server.messages.map((message) => message.to)).toEqual(Array.from({ length: 4 }, () => ADA.to));
    expect(server.counts.connections).toBe(1);
    expect(server.commands.filter((line) => line === 'RSET')).toHaveLength(4);
  });

  test('no body follows a refused recipient, not even when the server asks for it', async () => {
    await start({ pipelining, script: { rcpt: { reply: '550 5.1.1 no such user' }, data: { reply: '354 go on' } } });
    expect(await connection.send(EVE, MESSAGE)).toMatchObject({ phase: 'rcpt', reply: { enhanced: '5.1.1' } });
    expect(server.messages).toHaveLength(0);
    expect(server.counts.finalDots).toBe(pipelining ? 1 : 0);
    server.script = {};
    expect((await connection.send(ADA, MESSAGE)).accepted).toBe(true);
    expect(server.counts.connections).toBe(1);
  });

  test('a recipient that is taken after a refused sender gets no empty message', async () => {
    await start({ pipelining, script: { mail: { reply: '550 5.7.1 no' }, rcpt: { reply: '250 ok' }, data: { reply: '354 go on' } } });
    expect(await connection.send(EVE, MESSAGE)).toMatchObject({ phase: 'mail', reply: { code: 550 }, inDoubt: false });
    server.script = {};
    expect((await connection.send(ADA, MESSAGE)).accepted).toBe(true);
    expect(server.messages.map((message) => message.to)).toEqual([ADA.to]);
    expect(server.counts.finalDots).toBe(1);
  });

  test.each(['reset', 'close', { reply: '421 4.4.2 idle for too long' }] as const)(
    'an idle connection that ends (%j) is no failure',
    async (fault) => {
      await start({ pipelining });
      await connection.send(ADA, MESSAGE);
      server.script = ({ connection: number }) => (number === 1 ? { mail: fault } : {});
      expect((await connection.send(EVE, MESSAGE)).accepted).toBe(true);
      expect(server.messages.map((message) => [message.to, message.connection])).toEqual([
        [ADA.to, 1],
        [EVE.to, 2],
      ]);
    },
  );

  test('an idle connection is reopened once, not for ever', async () => {
    await start({ pipelining });
    await connection.send(ADA, MESSAGE);
    server.script = { mail: 'reset' };
    expect(await connection.send(EVE, MESSAGE)).toMatchObject({ accepted: false, phase: 'mail', cause: 'reset', inDoubt: false });
    expect(server.counts.connections).toBe(2);
  });

  test('a lease that ends stops the next write, wherever that is', async () => {
    for (let allowed = 0; ; allowed++) {
      let writes = 0;
      await start({ pipelining }, { mayWrite: () => writes++ < allowed });
      const outcome = await connection.send(ADA, MESSAGE);
      if (outcome.accepted) break;
      expect(outcome).toMatchObject({ cause: 'lease', inDoubt: false, reply: null });
      expect(connection.open).toBe(false);
      expect(server.counts.finalDots).toBe(0);
      await server.close();
      expect(writes).toBe(allowed + 1);
    }
    expect(server.messages).toHaveLength(1);
  });

  test('a lease that ends in the middle of a long message leaves it without an end', async () => {
    let writes = 0;
    await start({ pipelining }, { mayWrite: () => writes++ < 10 });
    expect(await connection.send(ADA, 'x'.repeat(2_000_000))).toMatchObject({ phase: 'body', cause: 'lease', inDoubt: false });
    expect(server.counts.finalDots).toBe(0);
  });
});

test('what is pipelined goes out in one write, and so does a short message with its end', async () => {
  let writes = 0;
  await start({}, { mayWrite: () => ++writes > 0 });
  await connection.send(ADA, MESSAGE);
  const before = writes;
  await connection.send(ADA, MESSAGE);
  expect(writes - before).toBe(2);
});

test('destroy ends a send under way: in doubt only after the final dot', async () => {
  await start({ script: { rcpt: 'hang' } });
  const early = connection.send(ADA, MESSAGE);
  await until(() => server.commands.includes(`RCPT TO:<${ADA.to}>`));
  connection.destroy();
  expect(await early).toMatchObject({ accepted: false, phase: expect.stringMatching(/^(mail|rcpt)$/), cause: 'reset', inDoubt: false });
  server.script = { dot: 'hang' };
  const late = connection.send(ADA, MESSAGE);
  await until(() => server.counts.finalDots === 1);
  connection.destroy();
  expect(await late).toMatchObject({ accepted: false, phase: 'final_dot', cause: 'reset', inDoubt: true });
});

test('destroy during a send over a used connection does not reopen it', async () => {
  await start();
  await connection.send(ADA, MESSAGE);
  server.script = { mail: 'hang' };
  const sending = connection.send(EVE, MESSAGE);
  await until(() => server.commands.filter((line) => line.startsWith('MAIL')).length === 2);
  connection.destroy();
  expect(await sending).toMatchObject({ accepted: false, phase: 'mail', inDoubt: false });
  expect(server.counts.connections).toBe(1);
});

test('SMTP sends at the same time wait for each other', async () => {
  await start();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => connection.send({ from: FROM, to: `u${index}@x.test` }, MESSAGE)),
  );
  expect(outcomes.every((outcome) => outcome.accepted)).toBe(true);
  expect(server.messages.map((message) => message.to)).toEqual(Array.from({ length: 20 }, (_, index) => `u${index}@x.test`));
  expect(server.counts.connections).toBe(1);
});

test.each([
  ['mail', 'a@x.test>\r\nRCPT TO:<eve@evil.test', 'ada@example.test'],
  ['mail', 'a b@x.test', 'ada@example.test'],
  ['mail', 'nowhere', 'ada@example.test'],
  ['rcpt', FROM, 'ada@example.test\r\nDATA'],
  ['rcpt', FROM, 'ada@example.test\n'],
  ['rcpt', FROM, 'a\0@example.test'],
  ['rcpt', FROM, '<ada@example.test>'],
  ['rcpt', FROM, 'ädä@example.test'],
  ['rcpt', FROM, ''],
  ['rcpt', FROM, `${'a'.repeat(250)}@example.test`],
])('an unfit %s address never reaches the wire', async (phase, from, to) => {
  await start();
  expect(await connection.send({ from, to }, MESSAGE)).toMatchObject({
    accepted: false,
    phase,
    cause: 'protocol',
    reply: null,
    inDoubt: false,
  });
  expect(server.counts.connections).toBe(0);
});

test('the empty sender is fit', async () => {
  await start();
  expect((await connection.send({ from: '', to: ADA.to }, MESSAGE)).accepted).toBe(true);
  expect(server.commands).toContain('MAIL FROM:<>');
});

test('the text of a reply is cut, and its control characters are gone', async () => {
  await start({ script: { rcpt: { reply: `550-no\x1b[31m\0\r\n550-5.1.1 ${'é'.repeat(2000)}\r\n550 end` } } });
  const outcome = await connection.send(ADA, MESSAGE);
  expect(outcome).toMatchObject({ accepted: false, reply: { code: 550, enhanced: '5.1.1' } });
  expect(outcome.reply!.text).toHaveLength(1000);
  expect(outcome.reply!.text).toMatch(/^no [^\0]{5} *\n5\.1\.1 é+$/u);
});
