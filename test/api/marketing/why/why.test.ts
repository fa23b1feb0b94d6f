import { firstReason } from '../../../../src/rules/why';
import type { Check } from '../../../../src/rules/why';
import { activate, chain, contact, drive, enrol, node, send } from '../../../support/calls/automations';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` },
}));
const host = aDeliveryHost(app);
const { running, rows, act, api, finish, draft, freeze } = campaignCalls(() => app);
const { wholePage } = campaignPages(
  () => app,
  () => host,
);

beforeEach(async () => {
  smtp.script = {};
  await Promise.all([stored.emails.remove(), stored.contacts.remove(), stored.suppressions.remove()]);
});

type Row = Awaited<ReturnType<typeof rows>>[number];

interface Judgement {
  readonly check: string;
  readonly passed: boolean;
  readonly asOf: string;
  readonly at: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

interface Why {
  readonly verdict: string;
  readonly reason: string | null;
  readonly detail?: object;
  readonly judgements: readonly Judgement[];
  readonly attempts: { readonly words: string | null; readonly count: number } | null;
  readonly nodes?: readonly object[];
}

const why = async (contactId: string, query: object): Promise<Why> =>
  (await api().get(`/v1/contacts/${contactId}/why`).query(query).expect(200)).body.data as Why;

/** The reason that the facts of an answer come to, by the rules. */
const reevaluated = ({ judgements }: Why) => firstReason(judgements.map(({ check, facts }) => ({ check, ...facts }) as Check));
const last = ({ judgements }: Why): Judgement => judgements.at(-1) as Judgement;

test('who was skipped is told by which check, with the facts of that moment, and these come to the reason again', async () => {
  const topic = (
    await api().post('/v1/topics').send({ key: 'news', name: 'News', defaultSubscription: 'in', visibility: 'public' }).expect(201)
  ).body.data as { topicId: string };
  const id = await running(7, { topicId: topic.topicId });
  const [suppressed, optedOut, unsubscribed, left, paused, gone, fine] = (await rows(id)) as [Row, Row, Row, Row, Row, Row, Row];
  await api().post('/v1/suppressions').send({ email: suppressed.email, reason: 'manual' });
  await api().post('/v1/suppressions').send({ email: optedOut.email, reason: 'unsubscribe' });
  await api().post('/v1/contacts').send({ email: unsubscribed.email, subscribed: false }).expect(200);
  await api()
    .patch(`/v1/contacts/${left.contactId}/topics`)
    .send({ topics: [{ topicId: topic.topicId, subscribed: false }] })
    .expect(200);
  const until = new Date(Date.now() + 3_600_000);
  await stored.contacts.change(paused.contactId, { snoozedUntil: until });
  await api().delete(`/v1/contacts/${gone.contactId}`).expect(200);
  await wholePage(id);

  const { body } = await api().get(`/v1/campaigns/${id}/recipients`).query({ status: 'skipped' }).expect(200);
  const skips = new Map(
    (await rows(id)).flatMap(({ contactId, skipReason, skipDetail }) =>
      skipReason ? [[contactId, { skipReason, skipDetail }] as const] : [],
    ),
  );
  expect(skips.size).toBe(6);
  expect((body.data.data as object[]).length).toBe(6);
  for (const [contactId, { skipReason, skipDetail }] of skips) {
    const answer = await why(contactId, { campaignId: id });
    const reason = { reason: skipReason, ...(skipDetail && { detail: skipDetail }) };
    expect(answer).toMatchObject({ verdict: 'skipped', ...reason, attempts: null });
    expect(reevaluated(answer)).toEqual(reason);
    expect(answer.judgements.map(({ passed }) => passed)).toEqual(answer.judgements.map((_each, at) => at < answer.judgements.length - 1));
    expect(answer.judgements.every(({ asOf }) => asOf === 'judged')).toBe(true);
  }
  const ends = async (one: Row) => last(await why(one.contactId, { campaignId: id }));
  expect(await ends(suppressed)).toMatchObject({ check: 'suppression', at: expect.any(String), facts: { suppression: 'manual' } });
  expect(await ends(optedOut)).toMatchObject({ check: 'subscription', facts: { optedOut: true } });
  expect(await ends(unsubscribed)).toMatchObject({ check: 'subscription', facts: { subscribed: false, optedOut: false } });
  expect(await ends(left)).toMatchObject({ check: 'topic', facts: { topicId: topic.topicId, inTopic: false } });
  expect(await ends(paused)).toMatchObject({ check: 'snooze', facts: { snoozedUntil: until.toISOString() } });
  expect(await ends(gone)).toMatchObject({ check: 'contact', facts: { exists: false } });

  // What a person chooses afterwards does not change why.
  await api().delete(`/v1/suppressions/${encodeURIComponent(suppressed.email)}`);
  await api().post('/v1/contacts').send({ email: fine.email, subscribed: false }).expect(200);
  expect(await why(suppressed.contactId, { campaignId: id })).toMatchObject({ reason: 'suppressed' });
  const sent = await why(fine.contactId, { campaignId: id });
  expect(sent).toMatchObject({ verdict: 'delivered', reason: null, attempts: { count: 1, words: expect.stringContaining('250') } });
  expect(reevaluated(sent)).toBeNull();
  expect(sent.judgements.map(({ check }) => check)).toEqual(['audience', 'suppression', 'subscription', 'topic', 'snooze', 'domain']);
});

test('who waits is told what the campaign waits for, and whoever a cancel has met, that', async () => {
  const id = await running(2);
  const [one] = await rows(id);
  await act(id, 'pause').expect(200);
  const waits = await why(one?.contactId ?? '', { campaignId: id });
  expect(waits).toMatchObject({ verdict: 'pending', reason: 'paused' });
  expect(last(waits)).toMatchObject({ check: 'hold', asOf: 'now', facts: { heldReason: 'paused' } });
  await act(id, 'cancel').expect(200);
  await finish(id, true);
  const cancelled = await why(one?.contactId ?? '', { campaignId: id });
  expect(cancelled).toMatchObject({ verdict: 'skipped', reason: 'cancelled' });
  expect(reevaluated(cancelled)).toEqual({ reason: 'cancelled' });
});

test('a refusal is told in the words of the server', async () => {
  smtp.script = { rcpt: { reply: '550 5.1.1 No such user here' } };
  const id = await running(1);
  const [one] = await rows(id);
  await wholePage(id);
  const answer = await why(one?.contactId ?? '', { campaignId: id });
  expect(answer).toMatchObject({ verdict: 'bounced', reason: 'hard', attempts: { words: expect.stringContaining('No such user here') } });
  expect(await why(one?.contactId ?? '', { emailId: one?.emailId })).toMatchObject({ verdict: 'bounced', reason: 'hard' });
});

const planIs = (value: string) => ({ field: 'data.plan', operator: 'equals', value });
const FILTER = { logic: 'and', groups: [{ filters: [planIs('pro'), { field: 'firstName', operator: 'equals', value: 'Ada' }] }] };

test('before a launch it is told who would get it, and which condition leaves somebody out', async () => {
  const [ada, grace] = [await contact(app, { firstName: 'Ada', data: { plan: 'pro' } }), await contact(app, { firstName: 'Ada' })];
  const { campaignId } = await draft({ audience: 'filter', filter: FILTER });
  expect(await why(ada, { campaignId })).toMatchObject({ verdict: 'would_send', reason: null });
  const left = await why(grace, { campaignId });
  expect(left).toMatchObject({ verdict: 'not_in_audience', reason: 'not_in_audience' });
  expect(last(left)).toMatchObject({
    check: 'audience',
    passed: false,
    asOf: 'now',
    facts: {
      selected: false,
      conditions: [
        { condition: planIs('pro'), matched: false },
        { condition: { field: 'firstName' }, matched: true },
      ],
    },
  });
  const email = (await stored.contacts.get(ada)).email;
  await api().post('/v1/suppressions').send({ email });
  expect(await why(encodeURIComponent(email), { campaignId })).toMatchObject({ verdict: 'would_skip', reason: 'suppressed' });
});

test('who is not in a frozen audience is told why by the facts of now, marked so', async () => {
  const { campaignId } = await draft({ audience: 'filter', filter: FILTER });
  const out = await contact(app, { firstName: 'Grace', data: { plan: 'pro' } });
  const unsubscribed = await contact(app, { firstName: 'Ada', data: { plan: 'pro' }, subscribed: false });
  await act(campaignId, 'send').expect(200);
  await freeze(campaignId);
  expect(await why(out, { campaignId })).toMatchObject({ verdict: 'not_in_audience', reason: 'not_in_audience' });
  const answer = await why(unsubscribed, { campaignId });
  expect(answer).toMatchObject({ verdict: 'not_in_audience', reason: 'unsubscribed' });
  expect(answer.judgements.every(({ asOf }) => asOf === 'now')).toBe(true);
  await api()
    .post('/v1/contacts')
    .send({ email: (await stored.contacts.get(unsubscribed)).email, subscribed: true });
  await stored.contacts.change(unsubscribed, { subscribed: true });
  expect(await why(unsubscribed, { campaignId })).toMatchObject({ verdict: 'not_in_audience', reason: 'changed_since' });
  const later = await contact(app, { firstName: 'Ada', data: { plan: 'pro' } });
  expect(await why(later, { campaignId })).toMatchObject({ verdict: 'not_in_audience', reason: 'not_in_audience' });
});

test('the members of a segment, and its conditions, are told too', async () => {
  const { body } = await api()
    .post('/v1/segments')
    .send({ name: 'Pro', type: 'dynamic', conditions: { logic: 'and', groups: [{ filters: [planIs('pro')] }] } })
    .expect(201);
  const out = await contact(app);
  const { campaignId } = await draft({ audience: 'segment', segmentId: body.data.segmentId });
  const answer = await why(out, { campaignId });
  expect(answer).toMatchObject({ verdict: 'not_in_audience' });
  expect(last(answer).facts).toMatchObject({ conditions: [{ condition: planIs('pro'), matched: false }] });
});

test('an automation says why nobody was enrolled, and what its nodes did', async () => {
  const trigger = node('start', 'trigger', { filter: { logic: 'and', groups: [{ filters: [planIs('pro')] }] } });
  const graph = chain(send('first', { type: 'marketing' }));
  const id = await activate(app, { ...graph, nodes: [trigger, ...graph.nodes.slice(1)] });
  const [free, pro] = [await contact(app), await contact(app, { data: { plan: 'pro' }, subscribed: false })];
  const refused = await why(free, { workflowId: id });
  expect(refused).toMatchObject({ verdict: 'not_enrolled', reason: 'filter_not_matched', nodes: [] });
  expect(last(refused).facts).toMatchObject({ conditions: [{ condition: planIs('pro'), matched: false }] });
  expect(await why(pro, { workflowId: id })).toMatchObject({ verdict: 'not_enrolled', reason: 'not_triggered' });
  await drive(app.core, app.keys.projectId, await enrol(app, id, pro));
  expect(await why(pro, { workflowId: id })).toMatchObject({
    verdict: 'enrolled',
    nodes: [{ nodeId: 'first', verdict: 'skipped', reason: 'unsubscribed', attempts: null }],
  });
  const other = await contact(app, { data: { plan: 'pro' } });
  await drive(app.core, app.keys.projectId, await enrol(app, id, other));
  expect(await why(other, { workflowId: id })).toMatchObject({ nodes: [{ nodeId: 'first', verdict: 'pending', reason: null }] });
  await api().patch(`/v1/workflows/${id}`).send({ status: 'paused' }).expect(200);
  expect(await why(free, { workflowId: id })).toMatchObject({ reason: 'not_active' });
});

test('single mail is told by its row; a message to somebody else is not found', async () => {
  const one = await contact(app);
  const { email } = await stored.contacts.get(one);
  const { body } = await api()
    .post('/v1/send')
    .send({ to: email, from: 'team@hello.test', subject: 'Hi', text: 'Hi', sendAt: new Date(Date.now() + 3_600_000).toISOString() });
  const emailId = body.data.results[0].id as string;
  expect(await why(one, { emailId })).toMatchObject({ verdict: 'pending', reason: 'scheduled', attempts: null });
  await api().delete(`/v1/emails/${emailId}`).expect(200);
  expect(await why(one, { emailId })).toMatchObject({ verdict: 'skipped', reason: 'cancelled' });
  const ask = (who: string, query: object) => api().get(`/v1/contacts/${who}/why`).query(query);
  expect((await ask(await contact(app), { emailId }).expect(404)).body.code).toBe('not_found');
  expect((await ask('ctc_00000000000000000000000000', { campaignId: (await draft()).campaignId }).expect(404)).body.code).toBe('not_found');
  const theirs = (await draft({}, app.otherKeys.secret)).campaignId;
  const foreign = api(app.otherKeys.secret).get(`/v1/contacts/${one}/why`).query({ campaignId: theirs });
  expect((await foreign.expect(404)).body.code).toBe('not_found');
  for (const query of [{}, { emailId, campaignId: 'cmp_1' }]) {
    expect((await ask(one, query).expect(422)).body.details).toEqual([expect.objectContaining({ code: 'invalid_combination' })]);
  }
});
