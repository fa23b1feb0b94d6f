import net from 'node:net';
import { aPlatform, eventually } from '../../../support/platform/platform';
import type { Answer } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const platform = aPlatform();

const message = (to: string) => ({ to, from: 'hello@hello.test', subject: 'Hello', text: 'Hello' });
const idsOf = ({ body }: Answer): string[] => (body.data.results as { id?: string }[]).flatMap(({ id }) => id ?? []);

/** Sends a whole request and hangs up without waiting for the answer. */
const cutOff = (platformUrl: string, key: string, idempotencyKey: string, body: string, afterMs: number): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(platformUrl);
    const socket = net.connect(Number(port), hostname, () => {
      socket.write(
        `POST /v1/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: ${idempotencyKey}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      setTimeout(() => socket.destroy(), afterMs);
    });
    socket.on('error', () => undefined).on('close', () => resolve());
  });

/** On a machine so busy that the first request with a key takes over ten seconds the others are answered 409, and ask again, as clients do. */
async function sendWithKey(to: string, key: string): Promise<Answer> {
  for (;;) {
    const answer = await platform.post('/v1/send', message(to), { 'idempotency-key': key });
    if (answer.body.code !== 'idempotency_in_progress') return answer;
  }
}

test('160 concurrent sends with 16 keys make 16 messages', async () => {
  const answers = await Promise.all(Array.from({ length: 160 }, (_, n) => sendWithKey(`key-${n % 16}@example.com`, `order-${n % 16}`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(160).fill(200));
  expect(new Set(answers.flatMap(idsOf)).size).toBe(16);
  const replays = answers.filter(({ body }) => body.data.replay === true);
  expect(replays).toHaveLength(144);
  expect(replays.every(({ headers }) => headers.get('x-idempotent-replay') === 'true')).toBe(true);
  expect(await stored.emails.count({ to: /^key-/ })).toBe(16);
  // A process that has just started may not know yet that rows may hold events.
  const alone = await stored.events.count({ name: 'email.queued' });
  expect(alone + (await stored.emails.count({ to: /^key-/, holdsQueued: 'at_once' }))).toBe(16);
  await eventually('all of them arrived', () => platform.smtp.messages.filter(({ to }) => to.startsWith('key-')).length === 16);
});

test('a request that was cut off in the middle and is retried with its key makes one message', async () => {
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const body = message(`cut-${n}@example.com`);
      await cutOff(platform.url, platform.keys.secret, `cut-${n}`, JSON.stringify(body), n % 20);
      const answer = await platform.post('/v1/send', body, { 'idempotency-key': `cut-${n}` });
      expect(answer.status).toBe(200);
    }),
  );
  expect(await stored.emails.count({ to: /^cut-/ })).toBe(60);
});

test('exactly n of 200 concurrent sends are accepted with n messages left, and the counter agrees', async () => {
  const { used } = (await platform.get('/v1/billing')).body.data as { used: number };
  expect((await platform.request('PATCH', '/v1/billing', { monthlyLimit: used + 37 })).status).toBe(200);
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => platform.post('/v1/send', message(`cap-${n}@example.com`))));
  await platform.request('PATCH', '/v1/billing', { monthlyLimit: null });
  const skipped = answers.filter(({ body }) => body.data.results[0].skipped === 'limit_reached');
  expect(answers.flatMap(idsOf)).toHaveLength(37);
  expect(skipped).toHaveLength(163);
  expect((await platform.get('/v1/billing')).body.data.used).toBe(used + 37);
});

test('the first recipients of a request get the messages that are left', async () => {
  const { used } = (await platform.get('/v1/billing')).body.data as { used: number };
  await platform.request('PATCH', '/v1/billing', { monthlyLimitTransactional: used + 2 });
  const { body } = await platform.post('/v1/send', {
    ...message('x@example.com'),
    to: ['r1@example.com', 'r2@example.com', 'r3@example.com'],
  });
  await platform.request('PATCH', '/v1/billing', { monthlyLimitTransactional: null });
  expect(body.data.results).toEqual([
    expect.objectContaining({ to: 'r1@example.com', status: 'queued' }),
    expect.objectContaining({ to: 'r2@example.com', status: 'queued' }),
    { to: 'r3@example.com', skipped: 'limit_reached' },
  ]);
});

test('cancelling at the moment of sending ends in one of the two lawful outcomes, 300 times', async () => {
  const sendAt = Date.now() + 6_000;
  const { body } = await platform.post('/v1/send/batch', {
    messages: Array.from({ length: 300 }, (_, n) => ({ ...message(`race-${n}@example.com`), sendAt: new Date(sendAt).toISOString() })),
  });
  const ids = (body.data.results as { id: string; status: string }[]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(300);
  const statuses = await Promise.all(
    ids.map(async (id, n) => {
      const at = sendAt - 200 + (n * 1_700) / 300;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - Date.now())));
      return (await platform.request('DELETE', `/v1/emails/${id}`)).status;
    }),
  );
  await eventually(
    'all of them came to an end',
    async () => (await stored.emails.count({ to: /^race-/, status: { $in: ['queued', 'sending'] } })) === 0,
  );
  const arrived = new Set(platform.smtp.messages.map(({ to }) => to));
  const cancelled = statuses.filter((status) => status === 200).length;
  ids.forEach((_, n) => {
    expect([200, 409]).toContain(statuses[n]);
    expect(arrived.has(`race-${n}@example.com`)).toBe(statuses[n] === 409);
  });
  expect(cancelled).toBeGreaterThan(0);
  expect(cancelled).toBeLessThan(300);
  expect(await stored.emails.count({ to: /^race-/, status: 'cancelled' })).toBe(cancelled);
  expect(await stored.events.count({ name: 'email.cancelled' })).toBe(cancelled);
});
