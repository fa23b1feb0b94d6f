import { SmtpConnection } from '../src/connection';
import type { SmtpOptions } from '../src/connection';
import type { SmtpOutcome } from '../src/transaction';
import { parseSmtpUrl } from '../src/url';
import { startSmtpServer } from '../../../test/support/servers/smtp-fault-server';
import type { SmtpFaultServer, SmtpMoment, SmtpServerOptions } from '../../../test/support/servers/smtp-fault-server';
import type { FedMail } from '../src';

const MESSAGE = 'Subject: x\r\n\r\nhello\r\n';
const mailTo = (name: string) => ({ from: 'b+1@bounce.test', to: `${name}@example.test` });
const [ADA, EVE, BOB, EVA] = ['ada', 'eve', 'bob', 'eva'].map(mailTo) as [Envelope, Envelope, Envelope, Envelope];
type Envelope = ReturnType<typeof mailTo>;

let server: SmtpFaultServer;
let connection: SmtpConnection;
let writes = 0;

async function start(options: SmtpServerOptions = {}, change: Partial<SmtpOptions> = {}): Promise<void> {
  server = await startSmtpServer(options);
  const route = parseSmtpUrl(`smtp://127.0.0.1:${server.port}/?tls=off`);
  connection = new SmtpConnection({ route, clientName: 'client.test', mayWrite: () => ++writes > 0, ...change });
}

afterEach(async () => {
  connection.destroy();
  await server.close();
});

type SendAll = (envelopes: readonly Envelope[], message?: string) => Promise<SmtpOutcome[]>;

const mailOf = (envelope: Envelope, message: string) => ({
  ready: null as Promise<void> | null,
  envelope,
  message: () => message,
  writeTo: (room: Buffer, at: number) => (message.length > room.length ? -1 : at + room.write(message, at)),
});

const sendInStream: SendAll = async (envelopes, message = MESSAGE) => {
  const outcomes: SmtpOutcome[] = [];
  const waiting = envelopes.map((envelope) => mailOf(envelope, message));
  await connection.stream({ next: () => waiting.shift(), done: (_mail, outcome) => outcomes.push(outcome) });
  return outcomes;
};

/** Returns a message that is ready some time after the stream asked for it, and not before. */
function lateMail(envelope: Envelope, message: string): FedMail {
  const mail = mailOf(envelope, message);
  const { writeTo } = mail;
  const onceReady = <T>(get: () => T): T => {
    if (mail.ready) throw new Error('The message is not ready');
    return get();
  };
  mail.ready = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => void (mail.ready = null));
  return Object.assign(mail, {
    message: () => onceReady(() => message),
    writeTo: (room: Buffer, at: number) => onceReady(() => writeTo(room, at)),
  });
}

const sendLate: SendAll = async (envelopes, message = MESSAGE) => {
  const outcomes: SmtpOutcome[] = [];
  const waiting = [...envelopes];
  const next = (): FedMail | undefined => {
    const envelope = waiting.shift();
    return envelope && lateMail(envelope, message);
  };
  await connection.stream({ next, done: (_mail, outcome) => outcomes.push(outcome) });
  return outcomes;
};

/** Does the same with messages that are text, as a single one is. */
const sendTexts: SendAll = async (envelopes, message = MESSAGE) => {
  const outcomes: SmtpOutcome[] = [];
  const waiting = envelopes.map((envelope) => ({ ...mailOf(envelope, message), writeTo: () => -1 }));
  await connection.stream({ next: () => waiting.shift(), done: (_mail, outcome) => outcomes.push(outcome) });
  return outcomes;
};

/** The ways of sending messages one after another. */
const WAYS: readonly (readonly [string, SendAll])[] = [
  ['in a stream', sendInStream],
  ['in a stream of texts', sendTexts],
  ['in a stream that makes them meanwhile', sendLate],
];

const received = (): readonly (readonly [string, number])[] => server.messages.map(({ to, connection: number }) => [to, number]);

describe.each(WAYS)('%s', (_way, sendAll) => {
  test('a message whose next one is known takes one write, once the server has accepted one', async () => {
    await start();
    await connection.send(ADA, MESSAGE);
    writes = 0;
    await sendAll([ADA, EVE, BOB, EVA]);
    expect(writes).toBe(5);
    expect(received().map(([to]) => to)).toEqual([ADA, ADA, EVE, BOB, EVA].map(({ to }) => to));
    expect(server.counts.connections).toBe(1);
  });

  test.each([{ pipelining: false }, { pipelining: true }])('everything arrives as it was (%j), long messages too', async (options) => {
    await start(options);
    const outcomes = await sendAll([ADA, EVE, BOB, EVA], `Subject: x\r\n\r\n${'.\r\n'.repeat(60_000)}`);
    expect(outcomes.every(({ accepted }) => accepted)).toBe(true);
    expect(server.messages.map(({ raw }) => raw.length)).toEqual(Array<number>(4).fill(180_014));
  });

  test('a server that refuses a message at its end is asked for the next one anew, over another connection', async () => {
    await start({ script: ({ to }) => (to === EVE.to ? { dot: { reply: '550 5.7.1 no' } } : {}) });
    const outcomes = await sendAll([ADA, EVE, BOB, EVA]);
    expect(outcomes.map(({ accepted }) => accepted)).toEqual([true, false, true, true]);
    expect(outcomes[1]).toMatchObject({ phase: 'final_dot', cause: 'reply', inDoubt: false });
    expect(received()).toEqual([
      [ADA.to, 1],
      [BOB.to, 2],
      [EVA.to, 2],
    ]);
  });

  test.each(['mail', 'rcpt', 'data'] as const)(
    'an announced message that is refused at %s leaves the connection to the next one',
    async (refused) => {
      let mails = 0;
      const isBobs = ({ stage, to }: SmtpMoment): boolean => (stage === 'mail' ? ++mails === 3 : to === BOB.to);
      await start({ script: (moment) => (isBobs(moment) && moment.stage === refused ? { [refused]: { reply: '550 5.1.1 no' } } : {}) });
      const outcomes = await sendAll([ADA, EVE, BOB, EVA]);
      expect(outcomes.map(({ accepted }) => accepted)).toEqual([true, true, false, true]);
      expect(outcomes[2]).toMatchObject({ phase: refused, cause: 'reply', inDoubt: false });
      expect(received()).toEqual([ADA, EVE, EVA].map(({ to }) => [to, 1]));
    },
  );

  test.each(['close', 'reset', { reply: '421 4.7.0 enough over this connection' }] as const)(
    'a server that ends the connection after a message (%j) gets the next one over another',
    async (fault) => {
      await start({
        script: ({ connection: number, from }) => (number === 1 && from === null && server.messages.length === 2 ? { mail: fault } : {}),
      });
      const outcomes = await sendAll([ADA, EVE, BOB, EVA]);
      expect(outcomes.every(({ accepted }) => accepted)).toBe(true);
      expect(received().map(([to]) => to)).toEqual([ADA, EVE, BOB, EVA].map(({ to }) => to));
      expect(server.counts.connections).toBe(2);
    },
  );

  test('a connection that breaks at the end of a message leaves that one in doubt, and the next one not begun', async () => {
    await start({ script: ({ to }) => (to === EVE.to ? { dot: 'reset' } : {}) });
    const outcomes = await sendAll([ADA, EVE, BOB]);
    expect(outcomes).toMatchObject([{ accepted: true }, { accepted: false, phase: 'final_dot', inDoubt: true }, { accepted: true }]);
    expect(received()).toEqual([
      [ADA.to, 1],
      [BOB.to, 2],
    ]);
  });

  test('a next address that no command can carry is not announced', async () => {
    await start();
    await connection.send(ADA, MESSAGE);
    const unfit = { from: ADA.from, to: 'a\r\nRSET@example.test' };
    const outcomes = await sendAll([EVE, unfit, BOB]);
    expect(outcomes.map(({ accepted }) => accepted)).toEqual([true, false, true]);
    expect(server.commands.filter((line) => line === 'RSET')).toEqual([]);
  });
});

test('an answer that does not come in time ends a stream, and leaves what it was about in doubt', async () => {
  await start({ script: ({ to }) => (to === EVE.to ? { dot: 'hang' } : {}) }, { timeouts: { finalDot: 200 } });
  const outcomes = await sendInStream([ADA, EVE, BOB]);
  expect(outcomes).toMatchObject([{ accepted: true }, { accepted: false, cause: 'timeout', inDoubt: true }, { accepted: true }]);
});

test('a stream ends with the right to send: nothing more goes on the wire', async () => {
  let mayWrite = true;
  await start({}, { mayWrite: () => mayWrite });
  const waiting = [ADA, EVE, BOB].map((envelope) => mailOf(envelope, MESSAGE));
  const outcomes: SmtpOutcome[] = [];
  const done = (_mail: unknown, outcome: SmtpOutcome): void => {
    outcomes.push(outcome);
    mayWrite = outcomes.length < 2;
  };
  await connection.stream({ next: () => waiting.shift(), done });
  expect(outcomes).toMatchObject([{ accepted: true }, { accepted: true }, { accepted: false, cause: 'lease', inDoubt: false }]);
  expect(received().map(([to]) => to)).toEqual([ADA.to, EVE.to]);
});
