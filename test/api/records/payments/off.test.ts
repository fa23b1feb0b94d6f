import { aProject } from '../../../support/platform/app';

const app = aProject();

const checkout = (body: object, key?: string | null) => app.api(key).post('/api/payments/checkout').send(body);

describe('an installation that takes no payments', () => {
  test('begins no purchase', async () => {
    const { body } = await checkout({ plan: 'starter', returnUrl: 'https://example.com/back' }).expect(409);
    expect(body).toMatchObject({ success: false, code: 'payments_disabled', error: expect.any(String) });
  });

  test('refuses a request that no installation would take', async () => {
    const { body } = await checkout({ plan: 'free', returnUrl: 'nowhere', more: 1 }).expect(422);
    expect(body.details).toMatchObject([
      { path: 'plan', code: 'invalid_enum_value' },
      { path: 'returnUrl', code: 'invalid_string' },
      { path: 'more', code: 'unrecognized_keys' },
    ]);
    expect((await checkout({ plan: 'starter' }, null)).status).toBe(401);
    expect((await checkout({ plan: 'starter' }, app.keys.public)).status).toBe(401);
  });
});

test('an unsigned notification is refused, and a forged one', async () => {
  const { status, body } = await app.api(null).post('/api/payments/webhook').send({ type: 'subscription.active' });
  expect([status, body.code]).toEqual([401, 'unauthorized']);
  const forged = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,abc' };
  expect((await app.api(null).post('/api/payments/webhook').set(forged).send({ type: 'subscription.active' })).status).toBe(401);
});
