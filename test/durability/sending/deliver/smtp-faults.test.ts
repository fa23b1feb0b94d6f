import { startSmtpServer } from '../../../support/servers/smtp-fault-server';
import type { SmtpScript, SmtpStage } from '../../../support/servers/smtp-fault-server';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const platform = aPlatform({ env: { SMTP_RETRY_SECONDS: '1,1,1,2', SMTP_CONNECTIONS: '8' } });

beforeEach(() => {
  platform.smtp.script = {};
});

let counter = 0;
const address = (): string => `fault-${++counter}@example.com`;

/** The fault strikes the first so many times that the stage is met with this recipient, or at all before one is known. */
function failing(stage: SmtpStage, fault: SmtpScript[SmtpStage], times: number): () => number {
  let met = 0;
  for (const socket of platform.smtp.sockets) socket.destroy();
  platform.smtp.script = (moment) => {
    if (moment.stage !== stage || fault === undefined || met >= times) return {};
    met++;
    return { [stage]: fault };
  };
  return () => met;
}

describe.each<SmtpStage>(['greeting', 'ehlo', 'mail', 'rcpt', 'data', 'dot'])('at %s', (stage) => {
  test('a 4xx is tried again and ends delivered, with one message and one Message-ID', async () => {
    const to = address();
    const met = failing(stage, { reply: '451 4.3.2 Later' }, 1);
    const email = await platform.untilStatus(await platform.send(to), 'delivered');
    expect(met()).toBe(1);
    expect(email.attempts).toBe(2);
    expect(platform.arrived(to).map((message) => message.headers['message-id'])).toEqual([email.messageId]);
  });

  test('a reset is tried again and ends delivered', async () => {
    const to = address();
    failing(stage, 'reset', 1);
    const email = await platform.untilStatus(await platform.send(to), 'delivered');
    expect(platform.arrived(to)).toHaveLength(1);
    expect(email.attempts).toBeLessThanOrEqual(2);
  });
});

test.each([
  ['rcpt', '550 5.1.1 No such user', 'hard', true],
  ['rcpt', '550 No such user', 'hard', true],
  ['rcpt', '552 5.2.2 Full', 'soft', false],
  ['rcpt', '554 5.7.1 Refused', 'block', false],
  ['dot', '550 5.6.0 Content', 'block', false],
  ['dot', '552 Too large', 'soft', false],
] as const)('a refusal at %s with "%s" bounces (%s)', async (stage, reply, bounceType, suppresses) => {
  const to = address();
  failing(stage, { reply }, 1);
  const id = await platform.send(to);
  const email = await platform.untilStatus(id, 'bounced');
  expect(email).toMatchObject({ bounceType, attempts: 1, error: reply });
  const { body } = await platform.get(`/v1/suppressions/check?email=${to}`);
  expect(body.data).toMatchObject(
    suppresses ? { suppressed: true, suppression: { reason: 'hard_bounce', source: 'smtp' } } : { suppressed: false, suppression: null },
  );
  expect(await platform.eventNames(id)).toEqual(['email.queued', 'email.bounced']);
});

test.each(['greeting', 'ehlo', 'mail'] as const)('a 5xx at %s says nothing about the recipient: it is tried again', async (stage) => {
  const to = address();
  failing(stage, { reply: '554 5.7.1 Not you' }, 1);
  const email = await platform.untilStatus(await platform.send(to), 'delivered');
  expect(email).toMatchObject({ attempts: 2, bounceType: null });
});

test('a server that goes on refusing for a while exhausts the schedule, and the message fails', async () => {
  platform.smtp.script = { rcpt: { reply: '450 4.2.0 Later' } };
  const id = await platform.send(address());
  const email = await platform.untilStatus(id, 'failed');
  expect(email).toMatchObject({ attempts: 5, error: '450 4.2.0 Later' });
  expect(await stored.events.count({ emailId: id, name: 'email.failed' })).toBe(1);
});

test('a connection that ends after the final dot without a reply leaves the message in doubt: repeated once, same Message-ID', async () => {
  const to = address();
  let met = 0;
  platform.smtp.script = ({ stage }) => (stage === 'dot' && ++met === 1 ? { dot: { delayMs: 400 } } : {});
  const id = await platform.send(to);
  await eventually('the end of the message has come', () => met === 1);
  for (const socket of platform.smtp.sockets) socket.destroy();
  const email = await platform.untilStatus(id, 'delivered');
  await eventually('both arrived', () => platform.arrived(to).length === 2);
  expect(platform.arrived(to).map((message) => message.headers['message-id'])).toEqual([email.messageId, email.messageId]);
});

test('replies of a thousand lines are read', async () => {
  platform.smtp.script = { ehlo: { lines: 1000 }, rcpt: { lines: 1000 }, dot: { lines: 1000 } };
  const { attempts } = await platform.untilStatus(await platform.send(address()), 'delivered');
  expect(attempts).toBe(1);
});

test('the simulator ends messages as their local part says, and no mail server sees them', async () => {
  const cases = {
    delivered: 'delivered',
    bounced: 'bounced',
    softbounced: 'delivered',
    complained: 'complained',
    opened: 'opened',
    clicked: 'clicked',
    failed: 'failed',
  };
  for (const [local, status] of Object.entries(cases)) {
    const to = `${local}+x@simulator.lettermill.test`;
    const email = await platform.untilStatus(await platform.send(to), status);
    expect(email.attempts).toBe(local === 'softbounced' ? 2 : 1);
    expect(email.bounceType).toBe(local === 'bounced' ? 'hard' : null);
    expect(platform.arrived(to)).toHaveLength(0);
    expect((await platform.get(`/v1/suppressions/check?email=${encodeURIComponent(to)}`)).body.data.suppressed).toBe(false);
  }
});

test('a server that spoils the TLS handshake is tried again, and nothing goes out in the clear; so is one that refuses connections', async () => {
  const server = await startSmtpServer({ tls: 'broken' });
  await platform.worker.stop();
  const spoiled = new Part('worker/main.ts', { ...platform.env, SMTP_URL: `smtp://127.0.0.1:${server.port}` }, 'Worker is ready');
  await spoiled.start();
  try {
    const email = await platform.untilStatus(await platform.send('spoiled@example.com'), 'failed');
    expect(email).toMatchObject({ attempts: 5, bounceType: null });
    expect(server.messages).toHaveLength(0);
    expect(server.counts.connections).toBeGreaterThan(0);
    expect(server.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(0);
    await server.close();
    const refused = await platform.untilStatus(await platform.send('refused@example.com'), 'failed');
    expect(refused).toMatchObject({ attempts: 5, bounceType: null });
    expect(refused.error).not.toBe(email.error);
  } finally {
    await spoiled.stop();
    await server.close();
  }
});
