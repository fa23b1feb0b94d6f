import { createKey } from '../../../../src/records/projects/key-service';
import { leaveOut } from '../../../../src/sending/deliver/recheck';
import { toEmail } from '../../../../src/records/emails/row';
import type { Email } from '../../../../src/records/emails/model';
import { aProject } from '../../../support/platform/app';
import { faultsOf } from '../../../support/calls/campaigns';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

interface Result {
  readonly id: string;
  readonly status?: string;
  readonly skipped?: string;
  readonly detail?: Readonly<Record<string, string>>;
}

const MESSAGE = { subject: 'Hello', text: 'Hello', from: 'team@hello.test' };
const post = (body: object, key?: string) =>
  app
    .api(key)
    .post('/v1/send')
    .send({ ...MESSAGE, ...body });
const send = async (to: string, more: object = {}, key?: string): Promise<Result> =>
  (await post({ to, ...more }, key).expect(200)).body.data.results[0] as Result;
const settings = (frequencyCaps: object[], status = 200) => app.api().patch('/v1/settings').send({ frequencyCaps }).expect(status);
const cap = (more: object = {}) => ({ name: 'weekly', max: 1, per: { amount: 7, unit: 'days' }, whenReached: 'skip', ...more });
const emailOf = async (id: string): Promise<Email> => toEmail((await stored.emails.all({ _id: id }))[0] as never);
const HOUR = 3_600_000;
const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString();
/** Has the pump look at messages, as of an instant. Resolves to the ids that may go. */
const recheck = async (ids: readonly string[], now = new Date()): Promise<readonly string[]> => {
  const due = await Promise.all(ids.map(emailOf));
  return (await leaveOut(app.core, due, now)).wanted.map(({ _id }) => _id);
};

afterEach(() => settings([]));

describe('sendOnce', () => {
  test('sends the message of a key to a person once, and names it from then on', async () => {
    const to = freshAddress();
    const { id } = await send(to, { sendOnce: { key: 'welcome' } });
    expect(await send(to.toUpperCase(), { sendOnce: { key: 'welcome' } })).toEqual({
      to,
      skipped: 'limit_reached',
      detail: { sendOnce: 'welcome', emailId: id },
    });
    expect(await send(to, { sendOnce: { key: 'other' } })).toMatchObject({ status: 'queued' });
    expect(await send(freshAddress(), { sendOnce: { key: 'welcome' } })).toMatchObject({ status: 'queued' });
    expect(await send(to)).toMatchObject({ status: 'queued' });
  });

  test('holds in a batch, and for contacts who are created by none of it', async () => {
    const to = freshAddress();
    const message = { to, ...MESSAGE, createContact: false, sendOnce: { key: 'batch' } };
    const { body } = await app
      .api()
      .post('/v1/send/batch')
      .send({ messages: [message, message] })
      .expect(200);
    expect(body.data.results).toMatchObject([{ status: 'queued' }, { skipped: 'limit_reached', detail: { sendOnce: 'batch' } }]);
  });

  test('within a time sends again after it, counted from the time of the message', async () => {
    const to = freshAddress();
    const once = { sendOnce: { key: 'reminder', within: '2h' } };
    expect(await send(to, { ...once, sendAt: ahead(3 * HOUR) })).toMatchObject({ status: 'scheduled' });
    expect(await send(to, once)).toMatchObject({ status: 'queued' });
    expect(await send(to, { ...once, sendAt: ahead(4 * HOUR) })).toMatchObject({ skipped: 'limit_reached' });
    expect(await send(to, { ...once, sendAt: ahead(6 * HOUR) })).toMatchObject({ status: 'scheduled' });
  });

  test('is given back when the message is cancelled, or fails', async () => {
    const to = freshAddress();
    const once = { sendOnce: { key: 'given-back' } };
    const { id } = await send(to, { ...once, sendAt: ahead(HOUR) });
    expect(await send(to, once)).toMatchObject({ skipped: 'limit_reached' });
    await app.api().delete(`/v1/emails/${id}`).expect(200);
    const again = await send(to, once);
    expect(again).toMatchObject({ status: 'queued' });
    await stored.emails.change({ _id: again.id }, { $set: { status: 'failed' } });
    expect(await send(to, once)).toMatchObject({ status: 'queued' });
    // What bounced has reached the mail server of its recipient.
    await stored.emails.change({ status: 'queued', to }, { $set: { status: 'bounced' } });
    expect(await send(to, once)).toMatchObject({ skipped: 'limit_reached' });
  });

  test('of a test key is limited apart', async () => {
    const to = freshAddress();
    const once = { sendOnce: { key: 'tried' } };
    expect(await send(to, once, app.keys.test)).toMatchObject({ status: 'sent' });
    expect(await send(to, once, app.keys.test)).toMatchObject({ skipped: 'limit_reached' });
    expect(await send(to, once)).toMatchObject({ status: 'queued' });
  });
});

describe('throttle', () => {
  test('sends one message of a key within a time, and says until when it skips others', async () => {
    const to = freshAddress();
    const throttle = { throttle: { key: 'alerts', every: '24h' } };
    expect(await send(to, throttle)).toMatchObject({ status: 'queued' });
    const { skipped, detail } = await send(to, throttle);
    expect([skipped, detail?.['throttle']]).toEqual(['limit_reached', 'alerts']);
    const until = Date.parse(detail?.['until'] ?? '') - Date.now();
    expect(until).toBeGreaterThan(23.9 * HOUR);
    expect(until).toBeLessThanOrEqual(24 * HOUR);
    expect(await send(to, { throttle: { every: '24h' } })).toMatchObject({ status: 'queued' });
    expect(await send(to, { throttle: { every: '1h' } })).toMatchObject({ detail: { throttle: 'default' } });
  });
});

describe('frequency caps', () => {
  test('are settings of the project, replaced as a whole', async () => {
    const weekly = cap({
      whenReached: 'wait',
      waitUpTo: { amount: 2, unit: 'days' },
      appliesTo: { type: 'marketing', sources: ['campaign'] },
    });
    expect((await settings([weekly])).body.data.frequencyCaps).toEqual([weekly]);
    expect((await app.api().patch('/v1/settings').send({ name: 'Same' }).expect(200)).body.data.frequencyCaps).toEqual([weekly]);
    expect((await settings([])).body.data.frequencyCaps).toEqual([]);
  });

  test.each([
    ['a name twice', [cap(), cap()], 'frequencyCaps.1.name', 'invalid_combination'],
    ['a longest wait without a wait', [cap({ waitUpTo: { amount: 1, unit: 'days' } })], 'frequencyCaps.0.waitUpTo', 'invalid_combination'],
    ['other mail', [cap({ appliesTo: { type: 'transactional' } })], 'frequencyCaps.0.appliesTo.type', 'invalid_enum_value'],
    ['a topic that does not exist', [cap({ appliesTo: { topics: ['top_none'] } })], 'frequencyCaps.0.appliesTo.topics.0', 'not_found'],
    ['a window that is too long', [cap({ per: { amount: 366, unit: 'days' } })], 'frequencyCaps.0.per.amount', 'too_big'],
  ])('with %s are refused', async (_what, caps, path, code) => {
    expect(faultsOf((await settings(caps, 422)).body)).toEqual([[path, code]]);
  });

  test('skip marketing mail beyond them, and no other mail', async () => {
    await settings([cap({ max: 2 })]);
    const to = freshAddress();
    const marketing = { type: 'marketing' };
    for (let time = 0; time < 2; time++) expect(await send(to, marketing)).toMatchObject({ status: 'queued' });
    expect(await send(to, marketing)).toMatchObject({
      skipped: 'limit_reached',
      detail: { cap: 'weekly', until: expect.stringMatching(/^2/) },
    });
    expect(await send(to)).toMatchObject({ status: 'queued' });
    expect(await send(to, { ...marketing, cap: 'ignore' })).toMatchObject({ status: 'queued' });
    expect(await send(freshAddress(), marketing)).toMatchObject({ status: 'queued' });
  });

  test('hold for what they apply to', async () => {
    await settings([cap({ appliesTo: { sources: ['campaign', 'workflow'] } })]);
    const to = freshAddress();
    for (let time = 0; time < 2; time++) expect(await send(to, { type: 'marketing' })).toMatchObject({ status: 'queued' });
  });

  test('may be ignored by keys of the scope full only', async () => {
    const { key } = await createKey(app.keys.projectId, 'secret', 50, { scope: 'sending' });
    const statuses = [
      (await post({ to: freshAddress(), type: 'marketing', cap: 'ignore' }, key)).status,
      (await post({ to: freshAddress(), type: 'marketing' }, key)).status,
    ];
    expect(statuses).toEqual([403, 200]);
  });

  test('that wait let a message wait for the instant at which their window frees, and skip what would wait too long', async () => {
    await settings([cap({ per: { amount: 12, unit: 'hours' }, whenReached: 'wait', waitUpTo: { amount: 30, unit: 'hours' } })]);
    const to = freshAddress();
    const sent = [await send(to, { type: 'marketing' }), await send(to, { type: 'marketing' }), await send(to, { type: 'marketing' })];
    expect(sent.map(({ status }) => status)).toEqual(['queued', 'scheduled', 'scheduled']);
    expect(await send(to, { type: 'marketing' })).toMatchObject({ skipped: 'limit_reached', detail: { cap: 'weekly', expired: true } });
    const [first, second, third] = await Promise.all(sent.map(({ id }) => emailOf(id)));
    // The first one is not attempted yet: it may go a moment later.
    expect(Number(second?.scheduledFor)).toBeGreaterThanOrEqual(Number(first?.createdAt) + 12 * HOUR);
    expect(Number(second?.scheduledFor)).toBeLessThanOrEqual(Date.now() + 12 * HOUR);
    expect(Number(third?.scheduledFor)).toBe(Number(second?.scheduledFor) + 12 * HOUR);
    expect(second).toMatchObject({ status: 'queued', dueAt: second?.scheduledFor });
    // A place that is given back goes to the next message that asks.
    await app.api().delete(`/v1/emails/${sent[1]?.id}`).expect(200);
    const [next] = [await send(to, { type: 'marketing' })];
    const { scheduledFor } = await emailOf(next.id);
    expect(Number(scheduledFor)).toBeLessThan(Number(third?.scheduledFor));
  });

  test('that free while the send window is closed let a message wait for its next opening', async () => {
    const clock = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(11, 16);
    // Open now, and closed in the hour after next.
    const windows = { days: [1, 2, 3, 4, 5, 6, 7], from: clock(-HOUR), until: clock(HOUR), timezone: 'UTC' };
    await app.api().patch('/v1/settings').send({ windows }).expect(200);
    try {
      await settings([cap({ per: { amount: 3, unit: 'hours' }, whenReached: 'wait' })]);
      const to = freshAddress();
      const sent = [await send(to, { type: 'marketing' }), await send(to, { type: 'marketing' })];
      expect(sent.map(({ status }) => status)).toEqual(['queued', 'scheduled']);
      const { scheduledFor } = await emailOf(String(sent[1]?.id));
      expect(scheduledFor?.toISOString().slice(11, 19)).toBe(`${windows.from}:00`);
      expect(Number(scheduledFor)).toBeGreaterThan(Date.now() + 3 * HOUR);
    } finally {
      await app.api().patch('/v1/settings').send({ windows: null }).expect(200);
    }
  });

  test('count from the first attempt: what was sent late has the others wait longer', async () => {
    await settings([cap({ per: { amount: 1, unit: 'days' }, whenReached: 'wait', waitUpTo: { amount: 3, unit: 'days' } })]);
    const to = freshAddress();
    const [first, second] = [await send(to, { type: 'marketing' }), await send(to, { type: 'marketing' })];
    const late = new Date(Date.now() + 5 * HOUR);
    expect(await recheck([first.id], late)).toEqual([first.id]);
    // Another look changes nothing.
    expect(await recheck([first.id], new Date(late.getTime() + HOUR))).toEqual([first.id]);
    const due = (await emailOf(second.id)).scheduledFor as Date;
    expect(await recheck([second.id], due)).toEqual([]);
    expect(await emailOf(second.id)).toMatchObject({ status: 'queued', scheduledFor: new Date(late.getTime() + 24 * HOUR) });
    expect(await recheck([second.id], new Date(late.getTime() + 24 * HOUR))).toEqual([second.id]);
  });

  test('let a message that comes due, or is moved, while its send window is closed wait for the next opening', async () => {
    const clock = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(11, 16);
    await settings([cap({ per: { amount: 1, unit: 'days' }, whenReached: 'wait', waitUpTo: { amount: 3, unit: 'days' } })]);
    const [one, other] = [freshAddress(), freshAddress()];
    const [first, before] = [await send(one, { type: 'marketing' }), await send(other, { type: 'marketing' })];
    const windows = { days: [1, 2, 3, 4, 5, 6, 7], from: clock(-HOUR), until: clock(HOUR), timezone: 'UTC' };
    await app.api().patch('/v1/settings').send({ windows }).expect(200);
    try {
      const [moved, late] = [await send(one, { type: 'marketing' }), await send(other, { type: 'marketing' })];
      // Without windows of its own, the first goes hours late: there is room again only when the window is closed.
      expect(await recheck([first.id], new Date(Date.now() + 5 * HOUR))).toEqual([first.id]);
      expect(await recheck([before.id])).toEqual([before.id]);
      for (const { id, after } of [
        { id: moved.id, after: 0 },
        { id: late.id, after: 3 * HOUR },
      ]) {
        const due = (await emailOf(id)).scheduledFor as Date;
        expect(await recheck([id], new Date(due.getTime() + after))).toEqual([]);
        const { scheduledFor } = await emailOf(id);
        expect(scheduledFor?.toISOString().slice(11, 19)).toBe(`${windows.from}:00`);
        expect(Number(scheduledFor)).toBeGreaterThan(due.getTime() + 20 * HOUR);
        expect(await recheck([id], scheduledFor as Date)).toEqual([id]);
      }
    } finally {
      await app.api().patch('/v1/settings').send({ windows: null }).expect(200);
    }
  });

  test('stop a message that would wait too long when its time comes', async () => {
    await settings([cap({ per: { amount: 1, unit: 'days' }, whenReached: 'wait', waitUpTo: { amount: 1, unit: 'days' } })]);
    const to = freshAddress();
    const [first, second] = [await send(to, { type: 'marketing' }), await send(to, { type: 'marketing' })];
    await recheck([first.id], new Date(Date.now() + HOUR));
    expect(await recheck([second.id], (await emailOf(second.id)).scheduledFor as Date)).toEqual([]);
    expect(await emailOf(second.id)).toMatchObject({ status: 'cancelled', error: 'limit_reached' });
  });
});

test('mail without limits asks nothing about any', async () => {
  const find = jest.spyOn(stored.personLimits.collection, 'find');
  const { id } = await send(freshAddress(), { type: 'marketing' });
  expect(await recheck([id])).toEqual([id]);
  expect(find).not.toHaveBeenCalled();
  find.mockRestore();
});
