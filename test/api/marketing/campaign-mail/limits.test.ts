import { withinLimits } from '../../../../src/marketing/campaign-mail/mail';
import { finishCampaign } from '../../../../src/marketing/campaigns/finish';
import { toEmail } from '../../../../src/records/emails/row';
import { getProject } from '../../../../src/records/projects/service';
import { leaveOut } from '../../../../src/sending/deliver/recheck';
import { claimCalls } from '../../../support/calls/campaign-claims';
import { aProject } from '../../../support/platform/app';
import { campaignCalls, storeSegment } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } }));
const host = aDeliveryHost(app);
const { act, api, contact, draft, finish, freeze, get, rows } = campaignCalls(() => app);
const { claimed, takeOver } = claimCalls(() => app);
const { page } = campaignPages(
  () => app,
  () => host,
);

const DAY = 24 * 3_600_000;
const settings = (frequencyCaps: object[]) => api().patch('/v1/settings').send({ frequencyCaps }).expect(200);
const weekly = { name: 'weekly', max: 1, per: { amount: 7, unit: 'days' }, whenReached: 'wait', waitUpTo: { amount: 10, unit: 'days' } };
const mailTo = (to: string) => ({ to, subject: 'Hello', text: 'Hello', from: 'team@hello.test', type: 'marketing' });
const sendTo = async (to: string, more: object = {}): Promise<{ id: string }> =>
  (
    await api()
      .post('/v1/send')
      .send({ ...mailTo(to), ...more })
      .expect(200)
  ).body.data.results[0] as { id: string };

/** A frozen campaign to some people. */
async function launched(people: readonly string[], more: object = {}): Promise<string> {
  const ids = await Promise.all(people.map((email) => contact(email)));
  const segmentId = await storeSegment(app.keys.projectId, ids);
  const { campaignId } = await draft({ audience: 'segment', segmentId, ...more });
  await act(campaignId, 'send').expect(200);
  await freeze(campaignId);
  return campaignId;
}

const recipients = async (id: string) =>
  (await api().get(`/v1/campaigns/${id}/recipients`).expect(200)).body.data.data as {
    email: string;
    status: string;
    skipReason: string | null;
    skipDetail?: Record<string, string>;
  }[];
const statusOf = async (id: string, email: string) => (await recipients(id)).find((one) => one.email === email);
/** Has what limits count of a person happen earlier. */
async function passed(email: string, ms: number): Promise<void> {
  const { body } = await api().get(`/v1/contacts/${email}`).expect(200);
  for (const row of await stored.personLimits.all({ contactId: body.data.contactId })) {
    const places = row.places.map((place) => ({ ...place, at: new Date(place.at.getTime() - ms) }));
    await stored.personLimits.change({ _id: row._id }, { $set: { places } });
  }
}

afterEach(() => settings([]));

test('a campaign’s send-once key skips who has its message, whichever way it came, and is shown', async () => {
  const [had, waits, fresh] = [freshAddress(), freshAddress(), freshAddress()];
  const sendOnce = { key: 'launch' };
  const { id } = await sendTo(had, { sendOnce });
  const later = await sendTo(waits, { sendOnce, sendAt: new Date(Date.now() + DAY).toISOString() });
  const campaignId = await launched([had, waits, fresh], { sendOnce });
  expect(await get(campaignId)).toMatchObject({ sendOnce });

  expect(await page(campaignId)).toMatchObject({ done: true, sent: 1, skipped: 2 });

  expect(await statusOf(campaignId, fresh)).toMatchObject({ status: 'sent' });
  for (const [email, emailId] of [
    [had, id],
    [waits, later.id],
  ] as const)
    expect(await statusOf(campaignId, email)).toMatchObject({
      status: 'skipped',
      skipReason: 'limit_reached',
      skipDetail: { sendOnce: 'launch', emailId },
    });
  expect(await finish(campaignId)).toMatchObject({ pending: 0 });
  // A copy has the same key, and nobody left.
  const copy = await api().post(`/v1/campaigns/${campaignId}/duplicate`).send({}).expect(201);
  expect(copy.body.data).toMatchObject({ sendOnce });
  const again = await launched([fresh], { sendOnce });
  expect(await page(again)).toMatchObject({ done: true, sent: 0, skipped: 1 });
  expect(await sendTo(fresh, { sendOnce })).toMatchObject({ skipped: 'limit_reached' });
});

test('a recipient whose page was left before anything was sent keeps the place for the next look', async () => {
  const [email, other] = [freshAddress(), freshAddress()];
  const sendOnce = { key: 'kept' };
  const campaignId = await launched([email, other], { sendOnce });
  // The server refuses connections: what was read is not sent, and nothing of it is recorded.
  const [row] = await rows(campaignId);
  await stored.personLimits.collection.insertOne({
    _id: `${row?.contactId}/once/kept` as never,
    projectId: app.keys.projectId,
    contactId: row?.contactId ?? '',
    places: [{ id: row?.emailId ?? '', at: new Date(), campaignId }],
  });
  expect(await sendTo(row?.email ?? '', { sendOnce })).toMatchObject({ skipped: 'limit_reached' });
  expect(await page(campaignId)).toMatchObject({ done: true, sent: 2, skipped: 0 });
});

test('and keeps it though other mail waits for the next place by then', async () => {
  const email = freshAddress();
  await settings([weekly]);
  const campaignId = await launched([email]);
  const left = new AbortController();
  const { collection } = stored.personLimits;
  const write = collection.bulkWrite.bind(collection);
  const takes = jest.spyOn(collection, 'bulkWrite').mockImplementation(async (...args: Parameters<typeof write>) => {
    left.abort();
    return write(...args);
  });
  expect(await page(campaignId, left.signal)).toMatchObject({ done: false, sent: 0 });
  takes.mockRestore();
  const { id } = await sendTo(email);
  expect(await stored.emails.get({ _id: id })).toMatchObject({ scheduledFor: expect.any(Date) });

  expect(await page(campaignId)).toMatchObject({ done: true, sent: 1 });
});

test('the place of a recipient of a cancelled campaign is given back', async () => {
  const email = freshAddress();
  const sendOnce = { key: 'cancelled' };
  const campaignId = await launched([email], { sendOnce });
  const [row] = await rows(campaignId);
  await stored.personLimits.collection.insertOne({
    _id: `${row?.contactId}/once/cancelled` as never,
    projectId: app.keys.projectId,
    contactId: row?.contactId ?? '',
    places: [{ id: row?.emailId ?? '', at: new Date(), campaignId }],
  });
  await act(campaignId, 'cancel').expect(200);
  await finish(campaignId, true);
  expect(await sendTo(email, { sendOnce })).toMatchObject({ status: 'queued' });
});

test('who has reached a cap that waits stays pending, is sent to when the window frees, and the others are sent to meanwhile', async () => {
  const [capped, free] = [freshAddress(), freshAddress()];
  await settings([weekly]);
  await sendTo(capped);
  const campaignId = await launched([capped, free]);

  const result = await page(campaignId);

  expect(result).toMatchObject({ done: true, sent: 1, skipped: 0, held: null, laterAt: expect.any(String) });
  const wait = Date.parse(result.laterAt ?? '') - Date.now();
  expect(wait).toBeGreaterThan(6.9 * DAY);
  expect(wait).toBeLessThanOrEqual(7 * DAY);
  expect([await statusOf(campaignId, capped), await statusOf(campaignId, free)]).toMatchObject([{ status: 'pending' }, { status: 'sent' }]);
  const input = { campaignId, projectId: app.keys.projectId, now: Date.now(), cancelled: false, capped: true };
  expect(await finishCampaign(app.core, input, () => undefined)).toMatchObject({ pending: 1 });
  expect(await get(campaignId)).toMatchObject({ status: 'sending', heldReason: 'frequency_cap' });

  await stored.emails.change({ to: capped }, { $set: { status: 'sent' } });
  await passed(capped, 7 * DAY);
  expect(await page(campaignId)).toMatchObject({ done: true, sent: 0, laterAt: expect.any(String) });
  // Its message was not attempted yet, and counts as of now, until it is.
  for (const row of await stored.personLimits.all({ 'places.held': true })) {
    await stored.personLimits.change({ _id: row._id }, { $set: { places: row.places.map(({ id, at }) => ({ id, at })) } });
  }
  const last = await page(campaignId);
  expect(last).toMatchObject({ done: true, sent: 1 });
  expect(last).not.toHaveProperty('laterAt');
  expect(await finish(campaignId)).toMatchObject({ pending: 0, sent: 2 });
});

test('who would wait too long is skipped, and so is who has reached a cap that skips', async () => {
  const email = freshAddress();
  await settings([{ ...weekly, waitUpTo: { amount: 6, unit: 'days' } }]);
  await sendTo(email);
  const waiting = await launched([email]);
  expect(await page(waiting)).toMatchObject({ done: true, skipped: 1 });
  expect(await statusOf(waiting, email)).toMatchObject({ skipReason: 'limit_reached', skipDetail: { cap: 'weekly', expired: true } });
  const { waitUpTo: _none, ...skips } = weekly;
  await settings([{ ...skips, whenReached: 'skip' }]);
  const skipping = await launched([email]);
  expect(await page(skipping)).toMatchObject({ done: true, skipped: 1 });
  expect(await statusOf(skipping, email)).toMatchObject({ skipDetail: { cap: 'weekly', until: expect.any(String) } });
});

describe('a message whose worker is lost while it is sent', () => {
  /** A campaign under a cap that skips, whose only message a lost worker had on the wire. */
  async function lost(): Promise<{ email: string; emailId: string; look: () => Promise<readonly string[]> }> {
    const email = freshAddress();
    const { waitUpTo: _none, ...skips } = weekly;
    await settings([{ ...skips, whenReached: 'skip' }]);
    const campaignId = await launched([email]);
    const [recipient, contacts] = [(await rows(campaignId))[0], await stored.contacts.all({ email })];
    if (!recipient || !contacts[0]) throw new Error('Nobody was frozen');
    const asked = [{ recipient, contact: contacts[0] }];
    const { open } = await withinLimits(await stored.campaigns.get(campaignId), await getProject(app.keys.projectId), asked);
    expect(open).toHaveLength(1);
    await claimed(campaignId);
    await takeOver();
    const look = async (): Promise<readonly string[]> => {
      const due = (await stored.emails.all({ _id: recipient.emailId })).map((row) => toEmail(row as never));
      return (await leaveOut(app.core, due, new Date())).wanted.map(({ _id }) => _id);
    };
    return { email, emailId: recipient.emailId, look };
  }

  test('keeps its place: it goes again, and nothing else goes', async () => {
    const { email, emailId, look } = await lost();
    expect(await sendTo(email)).toMatchObject({ skipped: 'limit_reached' });
    expect(await look()).toEqual([emailId]);
    expect(await look()).toEqual([emailId]);
  });

  test('and that fails in the end gives its place back; when it is retried, it needs one again', async () => {
    const { email, emailId, look } = await lost();
    await stored.emails.change({ _id: emailId }, { $set: { status: 'failed' } });
    const other = await sendTo(email);
    expect(other).toMatchObject({ status: 'queued' });
    await stored.emails.change({ _id: emailId }, { $set: { status: 'queued' } });
    // The other one is reserved; what is attempted first has the place.
    await leaveOut(app.core, [toEmail(await stored.emails.get({ _id: other.id }))], new Date());
    expect(await look()).toEqual([]);
    expect(await stored.emails.get({ _id: emailId })).toMatchObject({ status: 'cancelled', error: 'limit_reached' });
  });
});

test('a campaign without limits asks nothing about any', async () => {
  const find = jest.spyOn(stored.personLimits.collection, 'find');
  const campaignId = await launched([freshAddress()]);
  expect(await page(campaignId)).toMatchObject({ done: true, sent: 1 });
  expect(find).not.toHaveBeenCalled();
  find.mockRestore();
});
