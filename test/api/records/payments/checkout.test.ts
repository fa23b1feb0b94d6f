import { aProject } from '../../../support/platform/app';
import { PRODUCTS, deliver } from '../../../support/servers/payment-provider';
import type { Fault } from '../../../support/servers/payment-shapes';
import { aPaymentProvider } from '../../../support/calls/payments';

const provider = aPaymentProvider();
const app = aProject(() => ({ config: provider.env, log: (line) => void log.push(line) }));
const log: string[] = [];

const checkout = (body: object, key?: string) => app.api(key).post('/api/payments/checkout').send(body);

test('a checkout is a session at the provider for the plan, the project and the way back', async () => {
  const { body } = await checkout({ plan: 'growth', returnUrl: 'https://example.com/back?a=1' }).expect(200);
  expect(body).toEqual({
    success: true,
    data: { checkoutUrl: `https://checkout.example/session/${body.data.sessionId}`, sessionId: expect.stringMatching(/^cks_\d+$/) },
  });
  expect(provider.callsTo('POST', '/checkouts').at(-1)?.body).toEqual({
    product_cart: [{ product_id: PRODUCTS.growth, quantity: 1 }],
    metadata: { projectId: app.keys.projectId },
    return_url: 'https://example.com/back?a=1',
  });
});

test('two at once are two sessions, and neither changes the plan before it is paid', async () => {
  const answers = await Promise.all([checkout({ plan: 'starter' }), checkout({ plan: 'starter' })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(answers.map(({ body }) => body.data.sessionId)).size).toBe(2);
  const { body } = await app.api().get('/v1/billing').expect(200);
  expect(body.data).toMatchObject({ plan: 'free', payments: { enabled: true, env: 'test_mode' }, paymentsSubscription: { id: null } });
});

test('what is refused never reaches the provider', async () => {
  const calls = provider.asked.length;
  const { body } = await checkout({ plan: 'free', returnUrl: 'javascript:alert(1)', more: 1 }).expect(422);
  expect(body).toMatchObject({
    code: 'validation_error',
    details: [
      { path: 'plan', code: 'invalid_enum_value' },
      { path: 'returnUrl', code: 'invalid_string' },
      { path: 'more', code: 'unrecognized_keys' },
    ],
  });
  await checkout({ plan: 'starter' }, app.keys.public).expect(401);
  expect(provider.asked).toHaveLength(calls);
});

test('a plan that runs is not sold twice; the other one is, and this one again once it is cancelled', async () => {
  const { data } = (await checkout({ plan: 'starter' }, app.otherKeys.secret).expect(200)).body;
  const { id, active } = provider.pay(String(data.sessionId));
  await deliver(app.url, active);
  const refused = await checkout({ plan: 'starter' }, app.otherKeys.secret).expect(409);
  expect(refused.body).toMatchObject({ success: false, code: 'invalid_state', error: 'The project already has a subscription to starter' });
  await checkout({ plan: 'growth' }, app.otherKeys.secret).expect(200);
  await deliver(app.url, provider.happens('updated', id, { cancel_at_next_billing_date: true }));
  await checkout({ plan: 'starter' }, app.otherKeys.secret).expect(200);
});

describe('a provider that', () => {
  const DOWN = 'The payment provider does not answer; nothing was started, try again';

  test.each<[string, Fault]>([
    ['resets the connection', { kind: 'reset' }],
    ['answers 500', { kind: 'status', status: 500 }],
    ['answers 503', { kind: 'status', status: 503 }],
    ['answers 429', { kind: 'status', status: 429 }],
    ['resets when the session is open', { kind: 'reset', after: true }],
  ])('%s: 503, to be tried again, asked once', async (_what, fault) => {
    const calls = provider.asked.length;
    provider.faults.push(fault);
    const { body, headers } = await checkout({ plan: 'starter' }).expect(503);
    expect(body).toMatchObject({ success: false, code: 'unavailable', error: DOWN });
    expect(headers['retry-after']).toBe('30');
    expect(provider.asked).toHaveLength(calls + 1);
    await checkout({ plan: 'starter' }).expect(200);
  });

  test('does not answer, or not to the end, is given up after ten seconds', async () => {
    provider.faults.push({ kind: 'hang' }, { kind: 'stall' });
    const began = Date.now();
    const answers = await Promise.all([checkout({ plan: 'starter' }), checkout({ plan: 'starter' })]);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [503, DOWN],
      [503, DOWN],
    ]);
    expect(Date.now() - began).toBeLessThan(25_000);
  });

  test('refuses: 503 that says so; why is for the log alone, without what it says of people', async () => {
    provider.faults.push({ kind: 'status', status: 403 });
    const { body, headers } = await checkout({ plan: 'starter' }).expect(503);
    expect(body).toMatchObject({ success: false, code: 'unavailable', error: expect.stringContaining('refused the purchase') });
    expect(headers).not.toHaveProperty('retry-after');
    const line = log.findLast((each) => each.includes('The payment provider answered 403'));
    expect(line).toBeDefined();
    expect(log.join('')).not.toContain('ada@example.com');
    expect(log.join('')).not.toContain(provider.env['PAYMENTS_API_KEY']);
  });
});
