import { setTimeout as wait } from 'node:timers/promises';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject();

const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', from: 'hello@example.com' };
const post = (path: string, key: string, body: object) => app.api(app.keys.test).post(path).set('Idempotency-Key', key).send(body);

describe('a repeated key and body after the time of the message', () => {
  const sendAt = (): string => new Date(Date.now() + 1_500).toISOString();

  test.each([
    ['/v1/send', (message: object) => message],
    ['/v1/send/batch', (message: object) => ({ messages: [message] })],
  ])('on %s gets the stored answer', async (path, bodyOf) => {
    const message = { ...MESSAGE, sendAt: sendAt() };
    const first = await post(path, 'late', bodyOf(message)).expect(200);
    const sent = await stored.emails.count();
    await wait(1_600);
    const again = await post(path, 'late', bodyOf(message)).expect(200);
    expect(again.body).toEqual({ success: true, data: { ...first.body.data, replay: true } });
    expect(again.headers).toMatchObject({
      'x-idempotent-replay': 'true',
      'ratelimit-limit': '2000',
      'ratelimit-reset': expect.any(String),
    });
    expect(await stored.emails.count()).toBe(sent);
    for (const [key, body] of [
      ['late', bodyOf({ ...message, subject: 'Another' })],
      ['unused', bodyOf(message)],
    ] as const) {
      const refused = await post(path, key, body).expect(422);
      expect(refused.body.details).toMatchObject([{ code: 'invalid_date' }]);
    }
  });
});
