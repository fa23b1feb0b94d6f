import { DirectTransport } from '../../../../src/sending/deliver/direct';
import { ExchangeBook } from '../../../../src/sending/exchangers';
import { makeLanes } from '../../../../src/sending/deliver/make-lanes';
import { failedOutcome } from '../../../../src/sending/deliver/outcome';
import type { Lane, OwnedMail } from '../../../../src/sending/deliver/transport';
import { createDns } from '../../../../src/platform/dns';
import type { Email } from '../../../../src/records/emails/model';
import { testCore } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import { RULES } from '../../../support/data/finished';
import { SmtpFaultServer } from '../../../support/servers/smtp-fault-server';
import type { SmtpServerOptions } from '../../../support/servers/smtp-fault-server';

const MESSAGE = 'Subject: x\r\n\r\nhello\r\n';
const envelope = (to: string) => ({ projectId: 'prj_1', from: 'b+1@bounce.test', to });

const dns = aNameServer();
let servers: SmtpFaultServer[] = [];
let transport: DirectTransport | null = null;

beforeEach(() => {
  dns.names.clear();
  dns.questions.length = 0;
});
afterEach(async () => {
  transport?.destroy();
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** Mail servers at 127.0.0.1, 127.0.0.2 and so on, all on one port, and the way to them. */
async function exchangers(...options: SmtpServerOptions[]): Promise<DirectTransport> {
  let port = 0;
  for (const [index, option] of options.entries()) {
    const server = new SmtpFaultServer(option);
    await new Promise<void>((resolve) => server.server.listen(port, `127.0.0.${index + 1}`, resolve));
    servers.push(server);
    port = server.port;
    dns.names.set(`mx${index + 1}.test`, { A: [`127.0.0.${index + 1}`] });
  }
  return directTo(port);
}

function directTo(port: number, closedToo = true, keep = 2): DirectTransport {
  const book = new ExchangeBook(createDns(dns.address), closedToo);
  const timeouts = { connect: 2_000, greeting: 2_000, command: 2_000 };
  transport = new DirectTransport(book, { clientName: 'client.test', mayWrite: () => true, keep, port, timeouts });
  return transport;
}

const received = () => servers.map(({ messages }) => messages.length);

test('connections come from the source address, and only to hosts that it can reach', async () => {
  await exchangers({});
  dns.names.set('ada.test', {
    MX: [
      [10, 'six.test'],
      [20, 'mx1.test'],
    ],
  });
  dns.names.set('six.test', { AAAA: ['::1'] });
  const seen: (string | undefined)[] = [];
  servers[0]?.server.on('connection', (socket) => seen.push(socket.remoteAddress));
  const book = new ExchangeBook(createDns(dns.address), true);
  const port = servers[0]?.port ?? 0;
  transport = new DirectTransport(book, { clientName: 'out9.test', mayWrite: () => true, keep: 2, port, sourceAddress: '127.0.0.9' });
  expect(await transport.send(envelope('x@ada.test'), MESSAGE)).toMatchObject({ accepted: true });
  expect(seen).toEqual(['127.0.0.9']);
  expect(servers[0]?.commands[0]).toBe('EHLO out9.test');
});

test('a feed goes message by message, each by its own route; one that cannot be composed holds up no other', async () => {
  const direct = await exchangers({}, {});
  dns.names.set('ada.test', { MX: [[10, 'mx1.test']] });
  dns.names.set('bob.test', { MX: [[10, 'mx2.test']] });
  const mailTo = (to: string, message: () => string): OwnedMail => ({
    id: to,
    envelope: envelope(to),
    ready: null,
    message,
    writeTo: () => -1,
  });
  const unfit = (): string => {
    throw new Error('cannot be composed');
  };
  const waiting = [mailTo('a@ada.test', () => MESSAGE), mailTo('e@ada.test', unfit), mailTo('b@bob.test', () => MESSAGE)];
  const outcomes: [string, boolean][] = [];
  await direct.stream({
    next: () => waiting.shift(),
    done: (mail, { accepted }) => outcomes.push([mail.envelope.to, accepted]),
  });
  expect(outcomes).toEqual([
    ['a@ada.test', true],
    ['e@ada.test', false],
    ['b@bob.test', true],
  ]);
  expect(received()).toEqual([1, 1]);
});

describe('where mail goes', () => {
  test('the most preferred exchanger gets it, and the next one what that one does not hear of', async () => {
    const direct = await exchangers({}, {}, {});
    dns.names.set('ada.test', {
      MX: [
        [20, 'mx1.test'],
        [10, 'mx2.test'],
      ],
    });
    expect(await direct.send(envelope('a@ada.test'), MESSAGE)).toMatchObject({ accepted: true });
    expect(received()).toEqual([0, 1, 0]);

    servers[1]!.script = { greeting: { reply: '421 4.3.2 Busy' } };
    dns.names.set('bob.test', {
      MX: [
        [5, 'away.test'],
        [10, 'mx2.test'],
        [20, 'mx3.test'],
      ],
    });
    direct.destroy();
    expect(await direct.send(envelope('a@bob.test'), MESSAGE)).toMatchObject({ accepted: true });
    expect(received()).toEqual([0, 1, 1]);
  });

  test('a domain without exchangers takes its mail itself', async () => {
    const direct = await exchangers({});
    dns.names.set('plain.test', { A: ['127.0.0.1'] });
    expect(await direct.send(envelope('a@plain.test'), MESSAGE)).toMatchObject({ accepted: true });
    expect(received()).toEqual([1]);
  });

  test.each([
    ['does not exist', null, { code: 550, enhanced: '5.1.2' }],
    ['takes no mail', { MX: [[0, '.'] as const] }, { code: 556, enhanced: '5.1.10' }],
    ['has neither exchanger nor address', {}, { code: 550, enhanced: '5.1.2' }],
  ])('a domain that %s is as a refusal of the recipient', async (_what, zone, reply) => {
    const direct = await exchangers({});
    if (zone) dns.names.set('no.test', zone);
    expect(await direct.send(envelope('a@no.test'), MESSAGE)).toMatchObject({ accepted: false, phase: 'rcpt', cause: 'reply', reply });
    expect(servers[0]!.counts.connections).toBe(0);
  });

  test.each(['servfail', 'silence'] as const)('what DNS did not say (%s) is asked again with the next message', async (failure) => {
    const direct = await exchangers({});
    dns.names.set('later.test', failure);
    expect(await direct.send(envelope('a@later.test'), MESSAGE)).toMatchObject({ accepted: false, phase: 'connect', reply: null });
    dns.names.set('later.test', { MX: [[10, 'mx1.test']] });
    expect(await direct.send(envelope('a@later.test'), MESSAGE)).toMatchObject({ accepted: true });
  });

  test('what is asked by many at once is looked up once, and known for a while', async () => {
    const direct = await exchangers({});
    dns.names.set('ada.test', { MX: [[10, 'mx1.test']] });
    await Promise.all([1, 2, 3].map((n) => direct.send(envelope(`a${n}@ada.test`), MESSAGE)));
    await direct.send(envelope('b@ada.test'), MESSAGE);
    expect(received()).toEqual([4]);
    expect(dns.questions.filter((question) => question === 'MX ada.test')).toHaveLength(1);
  });

  test('an exchanger at an address that is not public is never connected to', async () => {
    await exchangers({});
    dns.names.set('trap.test', {
      MX: [
        [10, 'mx1.test'],
        [20, 'inner.test'],
      ],
    });
    dns.names.set('inner.test', { A: ['10.0.0.1', '169.254.169.254'], AAAA: ['::1', 'fd00::1'] });
    const direct = directTo(servers[0]!.port, false);
    expect(await direct.send(envelope('a@trap.test'), MESSAGE)).toMatchObject({ accepted: false, phase: 'connect', reply: null });
    expect(servers[0]!.counts.connections).toBe(0);
  });
});

describe('what an exchanger says', () => {
  const two = async (first: SmtpServerOptions): Promise<DirectTransport> => {
    const direct = await exchangers(first, {});
    dns.names.set('ada.test', {
      MX: [
        [10, 'mx1.test'],
        [20, 'mx2.test'],
      ],
    });
    return direct;
  };

  test.each([
    ['a final no at the greeting', { greeting: { reply: '554 5.7.1 Go away' } }, 'greeting'],
    ['a final no to the recipient', { rcpt: { reply: '550 5.1.1 Unknown' } }, 'rcpt'],
    ['a not now to the recipient', { rcpt: { reply: '451 4.7.1 Later' } }, 'rcpt'],
    ['an end after the final dot', { dot: 'reset' as const }, 'final_dot'],
  ])('%s is the answer, and no other exchanger is asked', async (_what, script, phase) => {
    const direct = await two({ script });
    expect(await direct.send(envelope('a@ada.test'), MESSAGE)).toMatchObject({ accepted: false, phase, inDoubt: phase === 'final_dot' });
    expect(servers[1]!.counts.connections).toBe(0);
  });

  test('TLS is used where it is offered, with any certificate', async () => {
    const direct = await two({ tls: 'starttls' });
    expect(await direct.send(envelope('a@ada.test'), MESSAGE)).toMatchObject({ accepted: true });
    expect(servers.map(({ counts }) => counts.secured)).toEqual([1, 0]);
  });

  test('a handshake that fails is left out, also for the messages after it', async () => {
    const direct = await two({ tls: 'starttls', script: { starttls: 'close' } });
    for (const to of ['a@ada.test', 'b@ada.test']) expect(await direct.send(envelope(to), MESSAGE)).toMatchObject({ accepted: true });
    expect(received()).toEqual([2, 0]);
    expect(servers[0]!.counts.connections).toBe(2);
  });
});

describe('connections', () => {
  test('serve one message after another, and the eldest idle one gives way', async () => {
    const direct = await exchangers({}, {}, {});
    for (const n of [1, 2, 3]) dns.names.set(`d${n}.test`, { MX: [[10, `mx${n}.test`]] });
    for (const to of ['a@d1.test', 'b@d1.test', 'a@d2.test', 'a@d3.test', 'c@d1.test']) await direct.send(envelope(to), MESSAGE);
    expect(servers.map(({ counts }) => counts.connections)).toEqual([2, 1, 1]);
    expect(received()).toEqual([3, 1, 1]);
  });

  test('are ended politely, and cut when they have to be', async () => {
    const direct = await exchangers({});
    dns.names.set('ada.test', { MX: [[10, 'mx1.test']] });
    await direct.send(envelope('a@ada.test'), MESSAGE);
    await direct.close();
    expect(servers[0]!.commands.at(-1)).toBe('QUIT');

    servers[0]!.script = { rcpt: 'hang' };
    const sending = direct.send(envelope('b@ada.test'), MESSAGE);
    while (!servers[0]!.commands.some((line) => line.includes('b@ada.test'))) await new Promise((resolve) => setTimeout(resolve, 5));
    direct.destroy();
    expect(await sending).toMatchObject({ accepted: false, cause: 'reset', inDoubt: false });
  });
});

describe('what becomes of a message', () => {
  const email = { _id: 'eml_1', to: 'a@no.test', attempts: 1, testMode: false } as Email;

  test.each([
    ['a domain that does not exist bounces it for good', null, { set: { status: 'bounced', bounceType: 'hard' }, suppresses: 'at_once' }],
    ['DNS that fails puts it off', 'servfail' as const, { set: { status: 'queued' }, suppresses: 'never' }],
  ])('%s', async (_what, name, outcome) => {
    if (name) dns.names.set('no.test', name);
    const { lanes } = makeLanes(testCore({ config: { SMTP_URL: 'direct:', DNS_SERVERS: dns.address } }), () => true);
    const [lane] = lanes as [Lane];
    const answer = await lane.exchange(email, envelope(email.to), MESSAGE);
    expect(lane.outcomeOf(email, answer, new Date())).toMatchObject(outcome);
  });

  test('a final no to us is final: no other exchanger is asked', () => {
    const reply = { code: 554, enhanced: '5.7.1', text: '5.7.1 Go away' };
    const refusal = { accepted: false, phase: 'greeting', cause: 'reply', reply, inDoubt: false, message: '' } as const;
    const statusOver = (route: 'direct' | 'smarthost') => failedOutcome(email, refusal, { ...RULES, route }, new Date()).set.status;
    expect([statusOver('direct'), statusOver('smarthost')]).toEqual(['failed', 'queued']);
  });
});
