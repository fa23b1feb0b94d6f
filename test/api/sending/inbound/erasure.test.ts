import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { sweepErasures } from '../../../../src/audience/contacts/erasures';
import { listeningOf } from '../../../../src/records/events/listeners';
import type { Event } from '../../../../src/records/events/model';
import { aProject } from '../../../support/platform/app';
import { activate, chain, drive, hour } from '../../../support/calls/automations';
import { inboundCalls } from './calls';
import { stored } from '../../../support/data/stored';

const app = aProject();

afterEach(() => jest.restoreAllMocks());

const { api, receive, emailOf, listed, freshSender, contactOf } = inboundCalls(() => app);
const eventOf = (emailId: string) => stored.events.one({ emailId });

const MESSAGE = { to: 'Token-42@inbox.test', fromName: 'Ada Lovelace', subject: 'About my illness', html: '<p>words</p>', text: 'words' };

test('an erased sender’s words are gone from inbound mail and events; other mail stays as it was', async () => {
  const [from, other] = [freshSender(), freshSender()];
  const emailId = await receive({ from, ...MESSAGE });
  const kept = await receive({ from: other, ...MESSAGE });
  const before = await emailOf(kept);
  const { createdAt } = await emailOf(emailId);
  await api().delete(`/v1/contacts/${from}`).expect(200);
  expect(await emailOf(emailId)).toMatchObject({
    emailId,
    contactId: null,
    source: 'inbound',
    status: 'received',
    createdAt,
    to: 'erased@erased.invalid',
    fromEmail: 'erased@erased.invalid',
    fromName: null,
    subject: '',
    body: '',
    text: '',
    attachments: [],
  });
  expect(await eventOf(emailId)).toMatchObject({ name: 'email.received', contactId: null, data: { source: 'inbound', attachments: 0 } });
  const [row, event] = [await stored.emails.one(emailId), await eventOf(emailId)];
  for (const trace of [from, 'Token-42', 'Lovelace', 'illness', 'words']) expect(JSON.stringify([row, event])).not.toContain(trace);
  expect((await listed({ limit: 100 })).data).toContainEqual(expect.objectContaining({ emailId, contactId: null }));
  expect(await emailOf(kept)).toEqual(before);
  expect((await eventOf(kept))?.data).toMatchObject({ subject: MESSAGE.subject, fromEmail: other });
});

test('what the messages of a deleted sender began keeps none of their words, be it over or under way', async () => {
  const from = freshSender();
  const handle = async (event: Event | null): Promise<void> => {
    if (!event) throw new Error('No event was emitted');
    await automationTriggers.handle(app.core, event, (await listeningOf(event.projectId)).version);
  };
  for (const graph of [chain(), chain(hour)]) await activate(app, graph, { trigger: 'event:email.received' });
  await handle(await eventOf(await receive({ from, ...MESSAGE })));
  const { contactId } = await contactOf(from);
  const begun = await stored.executions.all({ contactId });
  expect(begun.map(({ data }) => JSON.parse(data) as object)).toEqual(Array(2).fill(expect.objectContaining({ subject: MESSAGE.subject })));
  for (const { _id } of begun) await drive(app.core, app.keys.projectId, _id);
  await api().delete(`/v1/contacts/${contactId}`).expect(200);
  await handle(await stored.events.one({ contactId, name: 'contact.deleted' }));
  const over = await stored.executions.all({ _id: { $in: begun.map(({ _id }) => _id) } });
  expect(over.map(({ status, contactId: of, data }) => [status, of, data]).sort()).toEqual([
    ['cancelled', null, '{}'],
    ['completed', null, '{}'],
  ]);
  for (const trace of [from, 'Token-42', 'Lovelace', 'illness']) expect(JSON.stringify(over)).not.toContain(trace);
});

test('the sweep finishes what a crash left', async () => {
  const from = freshSender();
  const emailId = await receive({ from, ...MESSAGE });
  const { contactId } = await contactOf(from);
  jest.spyOn(stored.emails.collection, 'updateMany').mockRejectedValueOnce(new Error('killed'));
  await api().delete(`/v1/contacts/${contactId}`).expect(200);
  expect(await emailOf(emailId)).toMatchObject({ contactId, subject: MESSAGE.subject });
  expect(await stored.contactErasures.count({ contactId })).toBe(1);
  await sweepErasures(app.core, new Date(Date.now() + 40_000));
  expect(await emailOf(emailId)).toMatchObject({ contactId: null, subject: '', fromEmail: 'erased@erased.invalid' });
});
