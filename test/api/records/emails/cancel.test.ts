import { addUsage, readUsage } from '../../../../src/records/billing/usage';
import { claim } from '../../../../src/records/emails/attempts';
import type { Email } from '../../../../src/records/emails/model';
import { newId } from '../../../../src/platform/core/ids';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { aProject } from '../../../support/platform/app';
import { claimOf } from '../../../support/data/claims';
import { scheduled, storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';

const app = aProject();

const api = (key?: string) => app.api(key);
const store = (...changes: Partial<Email>[]): Promise<Email[]> => storeEmails(app.keys.projectId, ...changes);
const one = async (change: Partial<Email> = {}): Promise<Email> => (await store(change))[0] as Email;

describe('cancel', () => {
  const cancel = (id: string, key?: string) => api(key).delete(`/v1/emails/${id}`);

  test('stops a scheduled message, gives back its charge, and emits its event', async () => {
    const month = '2026-02';
    const charge = { month, credits: 2 };
    await inTransaction((session) => addUsage(session, app.keys.projectId, month, 'transactional', { messages: 3, credits: 5 }));
    const { _id } = await one({ ...scheduled(), charge, contactId: 'ctc_1' });
    const { body } = await cancel(_id).expect(200);
    expect(body).toEqual({ success: true, data: { emailId: _id, status: 'cancelled' } });
    expect(await stored.emails.one(_id)).toMatchObject({ status: 'cancelled' });
    expect(await stored.emails.count({ _id, dueAt: { $exists: true } })).toBe(0);
    expect(await readUsage(app.keys.projectId, month)).toMatchObject({ used: 2, credits: 3, categories: { transactional: 2 } });
    expect(await stored.events.all({ emailId: _id })).toEqual([
      expect.objectContaining({
        name: 'email.cancelled',
        contactId: 'ctc_1',
        projectId: app.keys.projectId,
        data: { source: 'transactional' },
      }),
    ]);
    const again = await cancel(_id).expect(409);
    expect(again.body).toMatchObject({ success: false, code: 'invalid_state' });
  });

  test('gives nothing back for a test message', async () => {
    const before = await stored.usage.all();
    const { _id } = await one({ ...scheduled(), testMode: true });
    await cancel(_id, app.keys.test).expect(200);
    expect(await stored.usage.all()).toEqual(before);
    expect(await stored.events.one({ emailId: _id })).toMatchObject({ testMode: true, data: { testMode: true } });
  });

  test.each<[string, Partial<Email>]>([
    ['queued for now', {}],
    ['sending', { ...scheduled(), status: 'sending', attempts: 1 }],
    ['put off after an attempt', { ...scheduled(), attempts: 1 }],
    ['sent', { scheduledFor: new Date(), status: 'sent', attempts: 1 }],
    ['received', { status: 'received', source: 'inbound' }],
  ])('refuses a message that is %s', async (_case, change) => {
    const { _id } = await one(change);
    const { body } = await cancel(_id).expect(409);
    expect(body.code).toBe('invalid_state');
    expect((await stored.emails.one(_id))?.status).toBe(change.status ?? 'queued');
  });

  test('happens once when it is asked for many times at once', async () => {
    const month = '2026-01';
    await inTransaction((session) => addUsage(session, app.keys.projectId, month, 'transactional', { messages: 5, credits: 5 }));
    const { _id } = await one({ ...scheduled(), charge: { month, credits: 1 } });
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(_id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await readUsage(app.keys.projectId, month)).toMatchObject({ used: 4, credits: 4 });
    expect(await stored.events.count({ emailId: _id })).toBe(1);
  });

  test('gives back exactly the charges of many that are cancelled at once, and refuses only those that have gone', async () => {
    const month = '2025-12';
    await inTransaction((session) => addUsage(session, app.keys.projectId, month, 'transactional', { messages: 200, credits: 300 }));
    const charged = (index: number): Partial<Email> => ({ ...scheduled(), charge: { month, credits: 1 + (index % 2) } });
    const rows = await store(
      ...Array.from({ length: 120 }, (_, n) => ({ ...charged(n), ...(n % 10 === 0 && { status: 'sending' as const }) })),
    );
    const statuses = await Promise.all(rows.map(async ({ _id }) => (await cancel(_id)).status));
    expect(statuses).toEqual(rows.map((_, n) => (n % 10 === 0 ? 409 : 200)));
    const kept = 120 - 108;
    expect(await readUsage(app.keys.projectId, month)).toMatchObject({ used: 200 - 108, credits: 300 - (180 - kept) });
    expect(await stored.events.count({ emailId: { $in: rows.map(({ _id }) => _id) } })).toBe(108);
  });

  test('and sending race to one outcome', async () => {
    const rows = await store(...Array.from({ length: 20 }, () => ({ ...scheduled(), dueAt: new Date() })));
    const attempt = { id: 'attempt', worker: 'worker', at: new Date() };
    const outcomes = await Promise.all(
      rows.map(async (row, index) => {
        const { _id } = row;
        const taking = claim(claimOf([row], { ...attempt, id: `attempt-${index}` }));
        const [answer, taken] = await Promise.all([cancel(_id), taking]);
        return { status: answer.status, taken: taken.has(_id), stored: (await stored.emails.one(_id))?.status };
      }),
    );
    for (const outcome of outcomes) {
      const either = [
        { status: 200, taken: false, stored: 'cancelled' },
        { status: 409, taken: true, stored: 'sending' },
      ];
      expect(either).toContainEqual(outcome);
    }
  });

  test("does not reach another project's message", async () => {
    const { _id } = await one(scheduled());
    await cancel(_id, app.otherKeys.secret).expect(404);
    await api(app.otherKeys.secret).get(`/v1/emails/${_id}`).expect(404);
    expect((await api(app.otherKeys.secret).get('/v1/emails').expect(200)).body.data).toEqual([]);
    await cancel(newId('em')).expect(404);
    await cancel('not%20an%20id').expect(422);
    expect((await stored.emails.one(_id))?.status).toBe('queued');
  });
});
