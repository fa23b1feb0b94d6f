import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { listeningOf } from '../../../../src/records/events/listeners';
import type { Event } from '../../../../src/records/events/model';
import { receiveMessage } from '../../../../src/sending/inbound';
import type { ReceivedAttachment, ReceivedMessage } from '../../../../src/sending/inbound';
import { disableProject, getProject } from '../../../../src/records/projects/service';
import type { ProjectKeys } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { aSecondApi } from '../../../support/platform/second-api';
import { activate, chain } from '../../../support/calls/automations';
import { listen } from '../../../support/platform/fan-out';
import { inboundCalls } from './calls';
import { counts, statsOf } from '../../records/stats/stats-of';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

const app = aProject();
const second = aSecondApi(app);

const { api, receive, freshSender } = inboundCalls(() => app);
const message = () => ({ from: freshSender(), to: 'desk@inbox.test' });
const offer = (key: string, to = api) => to(key).post('/v1/inbound').send(message());
const billingOf = async ({ secret }: ProjectKeys) => (await api(secret).get('/v1/billing').expect(200)).body.data;
const cap = (keys: ProjectKeys, change: object) => api(keys.secret).patch('/v1/billing').send(change).expect(200);

/** How many of this many messages were taken, sent at once to these processes in turn; each of the others was refused as past the limit. */
async function takenOf(times: number, { secret }: ProjectKeys, processes = [api]): Promise<number> {
  const answers = await Promise.all(Array.from({ length: times }, (_, n) => offer(secret, processes[n % processes.length])));
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, body } of refused) expect([status, body.code, body.success]).toEqual([429, 'limit_reached', false]);
  return times - refused.length;
}

describe('usage and limits', () => {
  test('counts in its own category and nothing else', async () => {
    const keys = await newProject('Counted');
    for (let n = 0; n < 3; n++) await offer(keys.secret).expect(201);
    const { used, creditsUsed, categories } = await billingOf(keys);
    expect([used, creditsUsed]).toEqual([0, 0]);
    expect(categories).toMatchObject({ inbound: { used: 3 }, transactional: { used: 0 }, campaign: { used: 0 }, workflow: { used: 0 } });
    const { totals, bySource } = await statsOf(app, keys.secret);
    expect([totals, bySource.transactional]).toEqual([counts({ received: 3 }), counts()]);
  });

  test('no more than the limit is taken, to the message, however many come at once', async () => {
    const keys = await newProject('Capped');
    await cap(keys, { monthlyLimitInbound: 5 });
    expect(await takenOf(20, keys)).toBe(5);
    expect((await billingOf(keys)).categories.inbound).toEqual({ limit: 5, used: 5 });
    expect(await stored.emails.count({ projectId: keys.projectId })).toBe(5);
    expect(await stored.events.count({ projectId: keys.projectId, name: 'email.received' })).toBe(5);
    const { body } = await api(keys.secret).get('/v1/contacts').expect(200);
    expect(body.data).toHaveLength(5);
    await cap(keys, { monthlyLimitInbound: 7 });
    expect(await takenOf(4, keys)).toBe(2);
    await cap(keys, { monthlyLimitInbound: null });
    expect(await takenOf(2, keys)).toBe(2);
  });

  test('also between processes, where the database alone decides', async () => {
    const keys = await newProject('Between');
    await cap(keys, { monthlyLimitInbound: 3 });
    expect(await takenOf(10, keys, [api, second.api])).toBe(3);
    expect((await billingOf(keys)).categories.inbound.used).toBe(3);
  });

  test('a limit of nothing refuses all', async () => {
    const keys = await newProject('None');
    await cap(keys, { monthlyLimitInbound: 0 });
    expect(await takenOf(2, keys)).toBe(0);
    expect(await stored.emails.count({ projectId: keys.projectId })).toBe(0);
  });

  test('limits of what is sent do not concern it', async () => {
    const keys = await newProject('Others');
    await cap(keys, { monthlyLimit: 0, monthlyLimitTransactional: 0, monthlyLimitCampaign: 0, monthlyLimitWorkflow: 0 });
    expect(await takenOf(2, keys)).toBe(2);
  });

  test('with a test key it is marked, counts nowhere, and knows no limit', async () => {
    const keys = await newProject('Tested');
    await cap(keys, { monthlyLimitInbound: 0 });
    const { from, to } = message();
    const emailId = await receive({ from, to }, keys.test);
    const { body } = await api(keys.secret).get(`/v1/emails/${emailId}`).expect(200);
    expect(body.data).toMatchObject({ testMode: true, status: 'received' });
    expect((await billingOf(keys)).categories.inbound.used).toBe(0);
    expect((await statsOf(app, keys.secret)).totals).toEqual(counts());
    const event = await stored.events.one({ emailId });
    expect(event).toMatchObject({ name: 'email.received', testMode: true, data: { testMode: true } });
    expect((await api(keys.secret).get('/v1/inbound').expect(200)).body.data).toEqual([
      expect.objectContaining({ emailId, fromEmail: from }),
    ]);
  });

  test('a disabled project receives: what is written to it would be lost', async () => {
    const keys = await newProject('Disabled');
    await disableProject(keys.projectId);
    expect(await takenOf(2, keys)).toBe(2);
  });
});

describe('email.received', () => {
  test('names sender, recipient and subject, and is delivered to listeners', async () => {
    const from = freshSender();
    const given = { from, to: 'Desk@inbox.test', fromName: 'Ada Lovelace', subject: 'Question' };
    await listen(app.keys.projectId, 'email.*');
    const emailId = await receive(given);
    await listen(app.keys.projectId);
    const event = await stored.events.one({ emailId });
    expect(event).toMatchObject({
      name: 'email.received',
      contactId: expect.stringMatching(/^ctc_/),
      testMode: false,
      fanOut: expect.any(Number),
      data: {
        source: 'inbound',
        to: 'Desk@inbox.test',
        fromEmail: from,
        fromName: 'Ada Lovelace',
        subject: 'Question',
        attachments: 0,
      },
    });
    const { body } = await api().get(`/v1/events?name=email.received&email=${from}`).expect(200);
    expect(body.data).toEqual([expect.objectContaining({ eventId: event?._id, emailId, data: event?.data })]);
  });

  const enrolledBy = async (event: Event | null, automationId: string): Promise<number> => {
    if (!event) throw new Error('No event was emitted');
    await automationTriggers.handle(app.core, event, (await listeningOf(event.projectId)).version);
    return stored.executions.count({ automationId, eventId: event._id });
  };
  const take = async (more: Partial<ReceivedMessage> = {}): Promise<string> =>
    receiveMessage({ core: app.core, project: await getProject(app.keys.projectId), testMode: false }, { ...message(), ...more });
  const received = (emailId: string) => stored.events.one({ emailId, name: 'email.received' });

  test('it starts workflows, in the mode of the key', async () => {
    const id = await activate(app, chain(), { trigger: 'event:email.received', reentry: 'always' });
    for (const [key, testMode] of [
      [app.keys.secret, false],
      [app.keys.test, true],
    ] as const) {
      const event = await received(await receive(message(), key));
      expect(event?.fanOut).toEqual(expect.any(Number));
      expect(await enrolledBy(event, id)).toBe(1);
      expect(await stored.executions.one({ automationId: id, eventId: event?._id ?? '' })).toMatchObject({ testMode });
    }
  });

  test('a new sender starts automations on contact.created', async () => {
    const id = await activate(app, chain(), { trigger: 'contact.created' });
    const { contactId } = (await received(await receive(message()))) ?? {};
    const created = await stored.events.one({ contactId: contactId ?? '', name: 'contact.created' });
    expect(await enrolledBy(created, id)).toBe(1);
  });

  test('what a machine has written starts none', async () => {
    const id = await activate(app, chain(), { trigger: 'event:email.received', reentry: 'always' });
    const event = await received(await take({ automatic: true }));
    expect(event?.data).toMatchObject({ automatic: true });
    expect(await enrolledBy(event, id)).toBe(0);
    expect(await enrolledBy(await received(await take()), id)).toBe(1);
  });

  test('a message that is delivered again is the same one, also when both come at once', async () => {
    const keys = await newProject('Repeated');
    const project = await getProject(keys.projectId);
    const attachments: ReceivedAttachment[] = [{ filename: 'a.pdf', contentType: 'application/pdf', size: 1234 }];
    const mail = { ...message(), sameAs: 'fingerprint', messageId: '<1@sender.test>', attachments };
    const ids = await Promise.all(Array.from({ length: 5 }, () => receiveMessage({ core: app.core, project, testMode: false }, mail)));
    expect(new Set(ids).size).toBe(1);
    const other = await receiveMessage({ core: app.core, project, testMode: false }, { ...mail, sameAs: 'another' });
    expect(ids).not.toContain(other);
    expect((await billingOf(keys)).categories.inbound.used).toBe(2);
    expect(await stored.events.count({ projectId: keys.projectId, name: 'email.received' })).toBe(2);
    const { body } = await api(keys.secret).get(`/v1/emails/${ids[0]}`).expect(200);
    expect(body.data).toMatchObject({ messageId: '<1@sender.test>', attachments });
    expect((await received(ids[0] ?? ''))?.data).toMatchObject({ attachments: 1 });
  });
});
