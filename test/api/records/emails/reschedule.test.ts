import { claim } from '../../../../src/records/emails/attempts';
import { park } from '../../../../src/records/emails/held';
import type { Email } from '../../../../src/records/emails/model';
import { minuteOf, scheduledSendId } from '../../../../src/contracts/waiting-mail';
import { aProject } from '../../../support/platform/app';
import { claimOf } from '../../../support/data/claims';
import { scheduled, storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const one = async (change: Partial<Email> = {}): Promise<Email> => (await storeEmails(app.keys.projectId, change))[0] as Email;
const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000);
const move = (id: string, sendAt: Date | undefined, key?: string) => app.api(key).patch(`/v1/emails/${id}`).send({ sendAt });
const minuteIdOf = (at: Date): string => scheduledSendId(app.keys.projectId, minuteOf(at));
/** What Temporal was given. */
const given = (): readonly string[] =>
  [...app.processes.start.mock.calls, ...app.processes.signal.mock.calls].map(([intent]) => (intent as { workflowId: string }).workflowId);

/** Three messages of one array and two of a batch that wait until tomorrow. */
async function accepted(): Promise<readonly string[]> {
  const attachments = [{ filename: 'a.txt', content: Buffer.from('attached').toString('base64') }];
  const message = { from: 'team@hello.test', subject: 'Later', html: '<p>Later</p>', sendAt: inHours(24), attachments };
  const sent = await app
    .api()
    .post('/v1/send')
    .send({ ...message, to: ['a@example.com', 'b@example.com', 'c@example.com'] })
    .expect(200);
  const batch = await app
    .api()
    .post('/v1/send/batch')
    .send({
      messages: [
        { ...message, to: 'd@example.com' },
        { ...message, to: ['e@example.com'] },
      ],
    })
    .expect(200);
  const [single, many] = batch.body.data.results as [{ id: string }, { results: { id: string }[] }];
  return [...(sent.body.data.results as { id: string }[]), single, ...many.results].map(({ id }) => id);
}

test.each([
  ['earlier', 2],
  ['later', 240],
])('a scheduled message moves %s, and its workflows learn of it', async (_case, hours) => {
  for (const id of await accepted()) {
    const before = await stored.emails.get(id);
    app.processes.start.mockClear();
    const sendAt = inHours(hours);
    const { body } = await move(id, sendAt).expect(200);
    expect(body.data).toMatchObject({ emailId: id, status: 'queued', scheduledFor: sendAt.toISOString() });
    expect(await stored.emails.one(id)).toMatchObject({ status: 'queued', scheduledFor: sendAt, dueAt: sendAt, charge: before.charge });
    const wanted = await stored.outbox.distinct('_id');
    expect([...given(), ...wanted]).toEqual(
      expect.arrayContaining([sendAt, before.scheduledFor as Date].map((at) => expect.stringContaining(minuteIdOf(at)))),
    );
  }
  const { body } = await app.api().get('/v1/emails?status=scheduled').expect(200);
  const times = (body.data as readonly { scheduledFor: string }[]).map(({ scheduledFor }) => scheduledFor);
  expect(times).toEqual([...times].sort());
});

test('what a message is made of is kept until its new time', async () => {
  const [id = ''] = await accepted();
  const { contentId, attachments } = await stored.emails.get(id);
  const sendAt = inHours(300 * 24);
  await move(id, sendAt).expect(200);
  const content = await stored.contents.one(contentId ?? '');
  const blob = await stored.blobs.one(attachments[0]?.blobId ?? '');
  expect([content?.neededAt, blob?.neededAt]).toEqual([sendAt, sendAt]);
});

test('the same move again changes nothing, and none at all is no fault', async () => {
  const { _id } = await one(scheduled());
  const sendAt = inHours(3);
  const first = await move(_id, sendAt).expect(200);
  const again = await move(_id, sendAt).expect(200);
  expect(again.body).toEqual(first.body);
  const none = await move(_id, undefined).expect(200);
  expect(none.body).toEqual(first.body);
});

test.each<[string, Partial<Email>]>([
  ['queued for now', {}],
  ['sending', { ...scheduled(), status: 'sending', attempts: 1 }],
  ['put off after an attempt', { ...scheduled(), attempts: 1 }],
  ['sent', { scheduledFor: new Date(), status: 'sent', attempts: 1 }],
  ['cancelled', { scheduledFor: new Date(), status: 'cancelled' }],
  ['received', { status: 'received', source: 'inbound' }],
])('a message that is %s stays as it is', async (_case, change) => {
  const before = await one(change);
  const { body } = await move(before._id, inHours(1)).expect(409);
  expect(body.code).toBe('invalid_state');
  expect(await stored.emails.one(before._id)).toMatchObject({ status: before.status, scheduledFor: before.scheduledFor });
  await move(before._id, undefined).expect(200);
});

test('a message that is held since a restore is not let go by a move', async () => {
  const { _id, projectId } = await one(scheduled());
  await park([{ _id, projectId }]);
  await move(_id, inHours(1)).expect(409);
  expect((await stored.emails.one(_id))?.dueAt).toBeUndefined();
});

test.each([
  ['past', inHours(-1), 'invalid_date'],
  ['too far', inHours(366 * 24), 'invalid_date'],
])('an instant that is %s is refused', async (_case, at, code) => {
  const { _id } = await one(scheduled());
  const { body } = await move(_id, at).expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path: 'sendAt', code })]);
  const unknown = await app.api().patch(`/v1/emails/${_id}`).send({ subject: 'Other' }).expect(422);
  expect(unknown.body.details[0].code).toBe('unrecognized_keys');
});

test('moving a message races to one outcome with its instant, and with a cancellation', async () => {
  const rows = await storeEmails(app.keys.projectId, ...Array.from({ length: 24 }, () => ({ ...scheduled(), dueAt: new Date() })));
  const outcomes = await Promise.all(
    rows.map(async (moving, index) => {
      const { _id } = moving;
      const sendAt = inHours(1);
      const rival =
        index % 2 === 0
          ? claim(claimOf([moving], { id: `attempt-${index}`, worker: 'worker', at: new Date() })).then((taken) => taken.has(_id))
          : app
              .api()
              .delete(`/v1/emails/${_id}`)
              .then(({ status }) => status === 200);
      const [{ status }, won] = await Promise.all([move(_id, sendAt), rival]);
      const row = await stored.emails.one(_id);
      return { kind: index % 2, status, won, stored: row?.status, isDue: row?.dueAt !== undefined };
    }),
  );
  for (const outcome of outcomes) {
    const { kind } = outcome;
    // A cancellation may also come after the move.
    const either = [
      { kind, status: 200, won: false, stored: 'queued', isDue: true },
      { kind, status: 409, won: true, stored: kind === 0 ? 'sending' : 'cancelled', isDue: false },
      ...(kind === 1 ? [{ kind, status: 200, won: true, stored: 'cancelled', isDue: false }] : []),
    ];
    expect(either).toContainEqual(outcome);
  }
});

test('a moved message is not taken up at its old instant', async () => {
  const early = await one({ ...scheduled(), dueAt: new Date(Date.now() - 1_000) });
  await move(early._id, inHours(1)).expect(200);
  expect(await claim(claimOf([early], { id: 'early', worker: 'worker', at: new Date() }))).toEqual(new Set());
});

test("another project's message is not found", async () => {
  const { _id } = await one(scheduled());
  const answers = [await move(_id, inHours(1), app.otherKeys.secret), await move(_id, undefined, app.otherKeys.secret)];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});
