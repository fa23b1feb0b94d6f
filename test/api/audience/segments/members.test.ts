import { foldCounts } from '../../../../src/audience/segments/counts';
import { CountChangeModel } from '../../../../src/audience/segments/member-model';
import { aProject } from '../../../support/platform/app';
import { all, plan, segmentCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';
const app = aProject();

const { api, contact, dynamic, fixed, freshAddress, get, members, emitted } = segmentCalls(() => app);
const other = () => app.api(app.otherKeys.secret);

describe('static members', () => {
  const add = (segmentId: string, emails: readonly string[]) => api().post(`/v1/segments/${segmentId}/members`).send({ emails });

  test('are added by address, once each, and emitted', async () => {
    const { segmentId } = await fixed('VIPs');
    const emails = [freshAddress(), freshAddress()];
    const [a, b] = [await contact(emails[0] ?? ''), await contact(emails[1] ?? '')];
    const first = await add(segmentId, [emails[0]?.toUpperCase() ?? '', 'nobody@example.com']).expect(200);
    expect(first.body.data).toEqual({ added: 1, missing: ['nobody@example.com'] });
    const second = await add(segmentId, [...emails, ...emails]).expect(200);
    expect(second.body.data).toEqual({ added: 1, missing: [] });
    expect((await get(segmentId)).memberCount).toBe(2);
    expect(await emitted({ 'data.segmentId': segmentId })).toEqual([
      ['segment.entered', a, segmentId],
      ['segment.entered', b, segmentId],
    ]);
    expect(await stored.events.count({ 'data.segmentId': segmentId, 'data.name': 'VIPs' })).toBe(2);
    const removed = async (contactId = ''): Promise<unknown> =>
      (await api().delete(`/v1/segments/${segmentId}/members/${contactId}`).expect(200)).body;
    expect(await removed(a)).toEqual({ success: true, data: { removed: true } });
    expect(await removed(a)).toEqual({ success: true, data: { removed: false } });
    expect(await removed('ctc_unknown')).toEqual({ success: true, data: { removed: false } });
    expect((await emitted({ 'data.segmentId': segmentId })).at(-1)).toEqual(['segment.exited', a, segmentId]);
    expect(await get(segmentId)).toMatchObject({ memberCount: 1 });
  });

  test('are answered as added also when they cannot be counted at once', async () => {
    const { segmentId } = await fixed();
    const email = freshAddress();
    await contact(email);
    const away = (): never => {
      throw new Error('away');
    };
    // Once for the count that follows the commit, once for the one that the request waits for.
    jest.spyOn(CountChangeModel, 'find').mockImplementationOnce(away).mockImplementationOnce(away);
    expect((await add(segmentId, [email]).expect(200)).body.data).toEqual({ added: 1, missing: [] });
    await foldCounts();
    expect(await get(segmentId)).toMatchObject({ memberCount: 1 });
  });

  test('a test key marks the events it causes', async () => {
    const { segmentId } = await fixed();
    const email = freshAddress();
    await contact(email);
    await app
      .api(app.keys.test)
      .post(`/v1/segments/${segmentId}/members`)
      .send({ emails: [email] })
      .expect(200);
    expect(await stored.events.count({ 'data.segmentId': segmentId, testMode: true, 'data.testMode': true })).toBe(1);
  });

  test('many requests that add and remove the same contacts count right', async () => {
    const { segmentId } = await fixed();
    const emails = Array.from({ length: 5 }, freshAddress);
    const ids = await Promise.all(emails.map((email) => contact(email)));
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(segmentId, emails)));
    expect(answers.reduce((sum, { body }) => sum + (body.data.added as number), 0)).toBe(5);
    const removals = await Promise.all(
      Array.from({ length: 10 }, (_, index) => api().delete(`/v1/segments/${segmentId}/members/${ids[index % 2]}`)),
    );
    expect(removals.filter(({ body }) => body.data.removed === true)).toHaveLength(2);
    expect((await get(segmentId)).memberCount).toBe(3);
    expect(await emitted({ 'data.segmentId': segmentId })).toHaveLength(7);
  });

  test.each<[object, string, string]>([
    [{ emails: [] }, 'emails', 'too_small'],
    [{ emails: Array.from({ length: 1_001 }, (_, n) => `p${n}@example.com`) }, 'emails', 'too_big'],
    [{ emails: ['no address'] }, 'emails.0', 'invalid_string'],
    [{ emails: [{ $gt: '' }] }, 'emails.0.$gt', 'reserved_name'],
    [{}, 'emails', 'invalid_type'],
  ])('refuses %#', async (given, path, code) => {
    const { segmentId } = await fixed();
    const { body } = await api().post(`/v1/segments/${segmentId}/members`).send(given).expect(422);
    expect(body.details).toEqual(expect.arrayContaining([{ path, code, message: expect.any(String) }]));
  });

  test('are not for a dynamic segment', async () => {
    const { segmentId } = await dynamic(all(plan('a')));
    for (const call of [add(segmentId, ['a@example.com']), api().delete(`/v1/segments/${segmentId}/members/ctc_1`)]) {
      const { body } = await call.expect(422);
      expect(body.details).toEqual([{ path: 'id', code: 'invalid_combination', message: expect.any(String) }]);
    }
  });

  test('go with their contact, and are counted', async () => {
    const { segmentId } = await fixed();
    const emails = [freshAddress(), freshAddress()];
    const ids = await Promise.all(emails.map((email) => contact(email)));
    await add(segmentId, emails).expect(200);
    await api().delete(`/v1/contacts/${ids[0]}`).expect(200);
    await foldCounts();
    expect(await members(segmentId)).toEqual([ids[1]]);
    expect((await get(segmentId)).memberCount).toBe(1);
    await api()
      .post('/v1/contacts/bulk')
      .send({ action: 'delete', contactIds: [ids[1]] })
      .expect(200);
    await foldCounts();
    expect((await get(segmentId)).memberCount).toBe(0);
    expect((await emitted({ 'data.segmentId': segmentId, name: 'segment.exited' })).length).toBe(0);
  });
});

describe('the list of members', () => {
  test('comes newest contact first, with a cursor that others do not take', async () => {
    const { segmentId } = await fixed();
    const emails = Array.from({ length: 5 }, freshAddress);
    for (const email of emails) {
      await contact(email);
      await api()
        .post(`/v1/segments/${segmentId}/members`)
        .send({ emails: [email] })
        .expect(200);
    }
    const first = await api().get(`/v1/segments/${segmentId}/members?limit=2`).expect(200);
    expect(first.body.data).toHaveLength(2);
    expect(first.body.data[0]).toMatchObject({
      email: emails[4],
      enteredAt: expect.stringMatching(/Z$/),
      subscribed: true,
      contactId: expect.any(String),
    });
    const cursor = first.body.nextCursor as string;
    await contact('late@example.com');
    await api()
      .post(`/v1/segments/${segmentId}/members`)
      .send({ emails: ['late@example.com'] })
      .expect(200);
    await api()
      .delete(`/v1/segments/${segmentId}/members/${first.body.data[1].contactId as string}`)
      .expect(200);
    const rest = await api().get(`/v1/segments/${segmentId}/members`).query({ limit: 10, cursor }).expect(200);
    expect((rest.body.data as { email: string }[]).map(({ email }) => email)).toEqual([emails[2], emails[1], emails[0]]);
    expect(rest.body.nextCursor).toBeNull();
    const another = await fixed();
    const { body } = await api().get(`/v1/segments/${another.segmentId}/members`).query({ cursor }).expect(422);
    expect(body.details).toEqual([{ path: 'cursor', code: 'invalid_cursor', message: expect.any(String) }]);
  });
});

describe('another project', () => {
  test('finds nothing behind the ids of this one', async () => {
    const { segmentId } = await fixed();
    const unknown = await api().get('/v1/segments/seg_unknown').expect(404);
    for (const call of [
      other().get(`/v1/segments/${segmentId}`),
      other().patch(`/v1/segments/${segmentId}`).send({ name: 'Stolen' }),
      other().delete(`/v1/segments/${segmentId}`),
      other().post(`/v1/segments/${segmentId}/refresh`),
      other().get(`/v1/segments/${segmentId}/members`),
      other()
        .post(`/v1/segments/${segmentId}/members`)
        .send({ emails: ['a@example.com'] }),
      other().delete(`/v1/segments/${segmentId}/members/ctc_1`),
    ]) {
      expect((await call.expect(404)).body).toEqual(unknown.body);
    }
    expect((await get(segmentId)).name).toBe('Static');
  });

  test('leaves nothing behind under the name of a contact of this one', async () => {
    const contactId = await contact(freshAddress());
    const own = await other().post('/v1/segments').send({ name: 'Theirs', type: 'static' }).expect(201);
    const path = `/v1/segments/${own.body.data.segmentId as string}/members`;
    for (const id of [contactId, 'ctc_unknown']) {
      expect((await other().delete(`${path}/${id}`).expect(200)).body.data).toEqual({ removed: false });
      expect(await stored.segmentGuards.count({ _id: id })).toBe(0);
    }
    await api().delete(`/v1/contacts/${contactId}`).expect(200);
  });

  test.each(['a%20b', '%24ne', 'x'.repeat(65), '..%2f'])('refuses the id %s', async (id) => {
    const { body } = await api().get(`/v1/segments/${id}`).expect(422);
    expect(body.details).toMatchObject([{ path: 'id', code: 'invalid_string' }]);
    await api().get(`/v1/segments/${id}/members`).expect(422);
  });
});
