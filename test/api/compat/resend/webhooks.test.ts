import { Resend } from 'resend';
import { aProject } from '../../../support/platform/app';
import { aFreshReceiver, deliverDue, handOnAll, lastOf } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

const app = aProject({
  config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', DEV_VERIFIED_DOMAINS: 'hello.test' },
});
const receiver = aFreshReceiver();

const client = (key = app.keys.secret): Resend => new Resend(key, { baseUrl: `${app.url}/compat/resend` });

/** The data of an answer, which has to be one. */
async function good<T>(answer: PromiseLike<{ readonly data: T | null; readonly error: unknown }>): Promise<T> {
  const { data, error } = await answer;
  expect(error).toBeNull();
  return data as T;
}

const webhooks = () => client().webhooks;

async function deliverAll(): Promise<void> {
  await handOnAll(app.core);
  await deliverDue(app.core);
}

/** Checks the last request with the client, under both names of the headers. */
function verified(secret: string): unknown {
  const { raw, headers } = lastOf(receiver);
  const [standard, svix] = (['webhook', 'svix'] as const).map((prefix) =>
    webhooks().verify({
      payload: raw.toString(),
      headers: {
        id: String(headers[`${prefix}-id`]),
        timestamp: String(headers[`${prefix}-timestamp`]),
        signature: String(headers[`${prefix}-signature`]),
      },
      webhookSecret: secret,
    }),
  );
  expect(standard).toEqual(svix);
  return standard;
}

test('an endpoint gets events in the form of Resend’s, which the client verifies; a message to several people has the id that its sender knows', async () => {
  const { id: webhookId, signing_secret: secret } = await good(
    webhooks().create({ endpoint: receiver.url, events: ['email.sent', 'email.bounced'] }),
  );
  const to = ['ada@example.com', 'bob@example.com'];
  const message = { from: 'Team <team@hello.test>', to, subject: 'Hi', text: 'Hi', tags: [{ name: 'kind', value: 'test' }] };
  const { id } = await good(client(app.keys.test).emails.send(message));
  await deliverAll();
  expect(receiver.received).toHaveLength(2);
  expect(verified(secret)).toEqual({
    type: 'email.sent',
    created_at: expect.any(String),
    data: {
      created_at: expect.any(String),
      email_id: id,
      message_id: expect.stringMatching(/^<.*>$/),
      from: 'Team <team@hello.test>',
      to,
      subject: 'Hi',
      tags: { kind: 'test' },
    },
  });
  expect(new Set(receiver.received.map(({ body }) => body.data.email_id as string))).toEqual(new Set([id]));
  const { data } = await good(webhooks().events.list({ webhookId }));
  expect(data).toMatchObject([{ type: 'email.sent', status: 'success' }, { type: 'email.sent' }]);
  await good(webhooks().events.replay({ webhookId, eventId: data[0]?.id ?? '' }));
  await deliverDue(app.core);
  expect(receiver.received).toHaveLength(3);
  expect((await webhooks().events.get({ webhookId, eventId: 'whd_none' })).error).toMatchObject({ statusCode: 404 });
});

test('one event here can stand for another name there', async () => {
  const { signing_secret: secret } = await good(
    webhooks().create({ endpoint: receiver.url, events: ['contact.updated', 'suppression.added', 'contact.topics.updated'] }),
  );
  await app.api().post('/v1/contacts').send({ email: 'ada@example.com' });
  await app.api().post('/v1/contacts').send({ email: 'ada@example.com', subscribed: false }).expect(200);
  await deliverAll();
  expect(verified(secret)).toMatchObject({ type: 'contact.updated', data: { email: 'ada@example.com', unsubscribed: true } });
  await app.api().post('/v1/suppressions').send({ email: 'ada@example.com' }).expect(201);
  await deliverAll();
  expect(verified(secret)).toMatchObject({ type: 'suppression.added', data: { email: 'ada@example.com', origin: 'manual' } });
});

test('endpoints are shown, changed, rotated and removed', async () => {
  const { id } = await good(webhooks().create({ endpoint: receiver.url, events: ['email.delivery_delayed', 'domain.updated'] }));
  const shown = { id, endpoint: receiver.url, status: 'enabled', events: ['email.delivery_delayed', 'domain.updated'] };
  expect(await good(webhooks().get(id))).toMatchObject({ object: 'webhook', ...shown });
  expect((await good(webhooks().list())).data).toContainEqual({ ...shown, created_at: expect.any(String) });
  expect((await stored.webhooks.get(id)).events).toEqual(['email.deferred', 'email.domain_verified', 'email.domain_failed']);
  expect(await good(webhooks().update(id, { events: ['email.clicked'], status: 'disabled' }))).toEqual({ object: 'webhook', id });
  expect(await good(webhooks().get(id))).toMatchObject({ status: 'disabled', events: ['email.clicked'] });
  const { signing_secret: next } = await good(webhooks().rotateSigningSecret(id));
  expect(next).toMatch(/^whsec_/);
  expect(await good(webhooks().remove(id))).toEqual({ object: 'webhook', id, deleted: true });
  expect((await webhooks().get(id)).error).toMatchObject({ statusCode: 404, name: 'not_found' });
  expect((await webhooks().create({ endpoint: receiver.url, events: ['inbox.created'] })).error).toMatchObject({
    statusCode: 422,
    message: 'events.0: inbox.created does not happen here',
  });
});

test('the format is a member of the endpoint in /v1, and a test event has it', async () => {
  const { body } = await app
    .api()
    .post('/v1/webhooks')
    .send({ url: receiver.url, events: ['email.sent'], format: 'resend' })
    .expect(201);
  expect(body.data.format).toBe('resend');
  await app.api().post(`/v1/webhooks/${body.data.webhookId}/test`).expect(202);
  await deliverDue(app.core);
  expect(verified(String(body.data.secret))).toMatchObject({ type: 'webhook.test', data: { webhookId: body.data.webhookId } });
  await app.api().patch(`/v1/webhooks/${body.data.webhookId}`).send({ format: 'resend' }).expect(422);
});
