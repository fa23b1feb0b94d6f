import { SYSTEM_EVENTS, payloadName } from '../../../../api/openapi/webhooks';
import { acceptedOutcome, failedOutcome, finalFailure } from '../../../../src/sending/deliver/outcome';
import type { OutcomeRules } from '../../../../src/sending/deliver/outcome';
import type { Outcome } from '../../../../src/records/emails/attempts';
import { advanceSeries } from '../../../../src/marketing/series';
import { recordCheck } from '../../../../src/sending/domains/check';
import { RECORD_KEYS } from '../../../../src/rules/domains/records';
import type { RecordKey } from '../../../../src/rules/domains/records';
import type { Verdict } from '../../../../src/rules/domains/answers';
import { record } from '../../../../src/sending/deliver/record';
import { recordReturned } from '../../../../src/sending/deliver/returned';
import type { Email } from '../../../../src/records/emails/model';
import { snoozeContact } from '../../../../src/audience/contacts/snooze';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { optOutOf } from '../../../../src/sending/tracking/opt-out';
import { recordHits } from '../../../../src/sending/tracking/record';
import { onTheWire } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { activate, always, chain, contact, drive, enrol, hour, node, play, send } from '../../../support/calls/automations';
import { campaignCalls, hit } from '../../../support/calls/campaigns';
import { faultsOf } from '../../../support/checks/json-schema';
import { handOnAll } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

type Schemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
interface Payload {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const app = aProject({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' },
});
let schemas: Schemas;

beforeAll(async () => {
  ({ schemas } = (await app.api(null).get('/v1/openapi.json').expect(200)).body.components as { schemas: Schemas });
  await app.api().get('/v1/domains').expect(200);
  await app
    .api()
    .post('/v1/webhooks')
    .send({ url: 'http://127.0.0.1:1/', events: ['*'] })
    .expect(201);
});

/** The bodies that were made since the last call, as they are sent. */
async function payloads(): Promise<readonly Payload[]> {
  await handOnAll(app.core);
  const rows = await stored.deliveries.all();
  await stored.deliveries.remove({ _id: { $in: rows.map(({ _id }) => _id) } });
  return rows.map(({ body }) => JSON.parse(body ?? '') as Payload);
}

const seen = new Set<string>();

/** What happened since the last call, which is as the document says. */
async function documented(): Promise<readonly string[]> {
  const bodies = await payloads();
  for (const body of bodies) {
    const name = Object.hasOwn(SYSTEM_EVENTS, body.type) ? payloadName(body.type) : 'OwnEvent';
    expect([body.type, faultsOf(schemas, schemas[name] ?? {}, body)]).toEqual([body.type, []]);
    seen.add(body.type);
  }
  return bodies.map(({ type }) => type);
}

const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await app.api().post(path).send(body);
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body.data as Record<string, unknown>;
};

const RULES: OutcomeRules = { acceptedIsDelivered: true, retrySeconds: [60], route: 'smarthost' };
const REFUSED = {
  accepted: false,
  phase: 'rcpt',
  cause: 'reply',
  reply: { code: 550, enhanced: '5.1.1', text: '5.1.1 Unknown user' },
  inDoubt: false,
  message: '',
} as const;

/** A message of the log that is sent and comes to an end. */
async function ended(outcomeOf: (email: Email) => Outcome, change: Partial<Email> = {}): Promise<Email> {
  const [email] = await onTheWire(app.keys.projectId, [
    { source: 'transactional', type: 'transactional', contactId: await contact(app), ...change },
  ]);
  const found = email as Email;
  await record(app.core, [outcomeOf(found)]);
  return found;
}

const accepted = (email: Email): Outcome => acceptedOutcome(email, '250 2.0.0 Ok', { acceptedIsDelivered: true }, new Date());

test('a message on its way', async () => {
  const content = {
    from: 'team@hello.test',
    subject: 'Hello',
    html: '<p>Hello</p>',
    attachments: [{ filename: 'a.txt', content: 'aGk=' }],
  };
  await post('/v1/send', { to: 'ada@example.com', ...content });
  const later = await post('/v1/send', { to: 'bob@example.com', ...content, sendAt: new Date(Date.now() + 86_400_000).toISOString() });
  const [{ id }] = later['results'] as [{ id: string }];
  await app.api().delete(`/v1/emails/${id}`).expect(200);
  await app
    .api(app.keys.test)
    .post('/v1/send')
    .send({ to: 'eve@example.com', ...content })
    .expect(200);
  const names = ['email.queued', 'email.scheduled', 'email.cancelled', 'email.sent', 'contact.created'];
  expect(await documented()).toEqual(expect.arrayContaining(names));
});

test('a message that is put off', async () => {
  const later = { ...REFUSED, reply: { code: 451, enhanced: '4.7.1', text: '4.7.1 Come back later' } } as const;
  await ended((email) => failedOutcome(email, later, RULES, new Date()));
  await ended((email) => failedOutcome(email, later, RULES, new Date()), { source: 'campaign', type: 'marketing' });
  expect((await documented()).filter((name) => name === 'email.deferred')).toHaveLength(1);
});

test('addresses that are suppressed, and messages that are not made', async () => {
  const message = { from: 'team@hello.test', subject: 'Hello', text: 'Hello' };
  for (const email of ['ada@example.com', 'no.contact@example.com']) {
    await post('/v1/suppressions', { email });
    await post('/v1/suppressions', { email });
    await post('/v1/send', { to: email, ...message });
    await app.api().delete(`/v1/suppressions/${email}`).expect(200);
  }
  const wanted = ['contact.suppressed', 'contact.unsuppressed', 'email.skipped'];
  const names = (await documented()).filter((name) => wanted.includes(name));
  expect([...names].sort()).toEqual(wanted.flatMap((name) => [name, name]));
});

test('what became of it', async () => {
  await ended(accepted);
  await ended((email) => failedOutcome(email, REFUSED, RULES, new Date()));
  await ended((email) => finalFailure(email, 'No key', new Date()));
  const late = await ended(accepted);
  expect(await documented()).toEqual(expect.arrayContaining(['email.sent', 'email.delivered', 'email.bounced', 'email.failed']));
  const at = new Date();
  await recordReturned(app.core, late._id, { kind: 'bounced', suppresses: 'never', bounceType: 'soft', error: '5.2.2', at });
  expect(await documented()).toEqual(expect.arrayContaining(['email.bounced']));
});

test('what people do with it', async () => {
  const [read, reported, left] = [await ended(accepted), await ended(accepted), await ended(accepted, { type: 'marketing' })];
  await recordHits([hit(read._id, null), hit(read._id, 'https://example.com/1')], false);
  await recordReturned(app.core, reported._id, { kind: 'complained', feedbackType: 'abuse', at: new Date() });
  await optOutOf(app.core, left._id, 'one_click');
  expect(await stored.emails.count({ _id: read._id, clicks: 1 })).toBe(1);
  expect(await documented()).toEqual(
    expect.arrayContaining(['email.opened', 'email.clicked', 'email.complained', 'email.unsubscribed', 'contact.unsubscribed']),
  );
});

test('a message that came in', async () => {
  await post('/v1/inbound', { from: 'ada@example.com', fromName: 'Ada', to: 'support@hello.test', subject: 'Hi', text: 'Hi' });
  expect(await documented()).toEqual(expect.arrayContaining(['email.received']));
});

test('contacts and segments', async () => {
  const email = 'grace@example.com';
  const { contactId } = await post('/v1/contacts', { email, data: { plan: 'pro' } });
  await post('/v1/contacts', { email, firstName: 'Grace', subscribed: false });
  await post('/v1/contacts', { email, subscribed: true });
  const { segmentId } = await post('/v1/segments', { name: 'By hand', type: 'static' });
  await post(`/v1/segments/${String(segmentId)}/members`, { emails: [email] });
  await app
    .api()
    .delete(`/v1/segments/${String(segmentId)}/members/${String(contactId)}`)
    .expect(200);
  expect(await documented()).toEqual(
    expect.arrayContaining([
      'contact.created',
      'contact.updated',
      'contact.unsubscribed',
      'contact.subscribed',
      'segment.entered',
      'segment.exited',
    ]),
  );
  await app
    .api()
    .delete(`/v1/contacts/${String(contactId)}`)
    .expect(200);
  expect(await documented()).toEqual(expect.arrayContaining(['contact.deleted']));
});

test('topics and pauses', async () => {
  const { topicId } = await post('/v1/topics', { key: 'news', name: 'News', defaultSubscription: 'in' });
  const { contactId } = await post('/v1/contacts', { email: 'heidi@example.com' });
  for (const subscribed of [false, true]) {
    await app
      .api()
      .patch(`/v1/contacts/${String(contactId)}/topics`)
      .send({ topics: [{ topicId, subscribed }] })
      .expect(200);
  }
  const paused = { contactId: String(contactId), projectId: app.keys.projectId };
  for (const until of [new Date(Date.now() + 86_400_000), null]) {
    await inTransaction((session) => snoozeContact(session, app.core, paused, until, { at: new Date(), testMode: false, emailId: 'em_1' }));
  }
  expect(await documented()).toEqual(
    expect.arrayContaining(['contact.topic_subscribed', 'contact.topic_unsubscribed', 'contact.snoozed', 'contact.resumed']),
  );
});

test('domains', async () => {
  const { domainId } = await post('/v1/domains', { domain: 'payloads.example.com' });
  const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000);
  const checked = async (verdict: Verdict, now: Date): Promise<void> => {
    const all = <T>(one: T) => Object.fromEntries(RECORD_KEYS.map((key) => [key, one])) as Record<RecordKey, T>;
    const answers = all({ found: [], said: 'found' as const });
    await recordCheck(app.core, app.keys.projectId, String(domainId), { verdicts: all(verdict), answers: answers as never, now });
  };
  await checked('wrong', hours(0));
  expect(await documented()).toEqual([]);
  await checked('verified', hours(1));
  await checked('verified', hours(2));
  expect(await documented()).toEqual(['email.domain_verified']);
  await checked('wrong', hours(3));
  await checked('wrong', hours(76));
  expect(await documented()).toEqual(['email.domain_failed']);
});

test('campaigns', async () => {
  const { act, contact: recipient, draft, finish, freeze } = campaignCalls(() => app);
  await recipient('campaigns@example.com');
  const id = (await draft()).campaignId;
  await act(id, 'send').expect(200);
  await act(id, 'pause').expect(200);
  await act(id, 'cancel').expect(200);
  const wanted = ['email.campaign_started', 'email.campaign_held', 'email.campaign_cancelled'];
  expect((await documented()).filter((name) => name.startsWith('email.campaign_'))).toEqual(expect.arrayContaining(wanted));
  const sent = (
    await draft({
      audience: 'filter',
      filter: { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'equals', value: 'nobody@example.com' }] }] },
    })
  ).campaignId;
  await act(sent, 'send').expect(200);
  await freeze(sent);
  await finish(sent);
  expect(await documented()).toEqual(expect.arrayContaining(['email.campaign_sent']));
});

test('a feed that cannot be read', async () => {
  const content = { name: 'News', subject: 'News', body: '<p>News</p>', fromEmail: 'team@hello.test' };
  const feed = { url: 'http://127.0.0.1:9/feed' };
  const { campaignId } = await post('/v1/campaigns', { ...content, schedule: { rrule: 'FREQ=DAILY', timezone: 'UTC' }, feed });
  await post(`/v1/campaigns/${String(campaignId)}/send`, {});
  const begun = Date.now();
  for (const now of [begun, begun + 3_600_000])
    await advanceSeries(app.core, { campaignId: String(campaignId), projectId: app.keys.projectId, now, readsFeed: true });
  expect(await documented()).toContain('email.feed_failed');
});

test('automations', async () => {
  const of = async (...nodes: readonly ReturnType<typeof node>[]) => activate(app, chain(...nodes), always);
  await play(app, await of(node('tag', 'update_contact', { firstName: 'Ada' })), await contact(app));
  await play(app, await of(node('end', 'exit', { reason: 'done' })), await contact(app));
  const waiting = await of(hour);
  const executionId = await enrol(app, waiting, await contact(app));
  await drive(app.core, app.keys.projectId, executionId);
  await app.api().post(`/v1/workflows/${waiting}/executions/${executionId}/cancel`).send({}).expect(200);
  // With a test key the sender is looked at when it is sent.
  const broken = await activate(app, chain(send('mail', { fromEmail: 'a@unverified.test' })), always, app.keys.test);
  await play(app, broken, await contact(app));
  expect(await documented()).toEqual(
    expect.arrayContaining(['workflow.entered', 'workflow.completed', 'workflow.exited', 'workflow.cancelled', 'workflow.failed']),
  );
});

test('an event of the caller', async () => {
  await post('/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { total: 42, lines: [{ sku: 'a' }] } });
  expect(await documented()).toEqual(expect.arrayContaining(['order.placed']));
});

test('every event of the system happened here', () => {
  expect(Object.keys(SYSTEM_EVENTS).filter((name) => !seen.has(name))).toEqual([]);
});
