import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';
import { wholeListCalls } from '../../../support/calls/lists';
import type { ListAnswer } from '../../../support/calls/lists';

const app = aProject();
const keys = aFreshProject('Recipients');

const { rows, deliver, running } = campaignCalls(() => ({ ...app, keys, api: (key = keys.test) => app.api(key) }));

const api = () => app.api(keys.secret);
const { get, rowsIn, walk } = wholeListCalls(api);

describe('the recipients of a campaign', () => {
  const emailsIn = (answers: readonly ListAnswer[]) => rowsIn(answers).map((row) => row['email']);

  test('come in pages, each once, the highest id first', async () => {
    const id = await running(7);
    const path = `/v1/campaigns/${id}/recipients`;
    const all = await get(path);
    expect(all).toMatchObject({ data: { nextCursor: null }, nextCursor: null });
    const answers = await walk(path, { limit: 3 });
    expect(answers.map(({ data }) => data.data.length)).toEqual([3, 3, 1]);
    expect(rowsIn(answers)).toEqual(all.data.data);
    expect(answers.map(({ data, nextCursor }) => nextCursor === data.nextCursor)).toEqual([true, true, true]);
    expect(answers.at(-1)?.nextCursor).toBeNull();
    expect((await walk(path, { limit: 7 })).length).toBe(1);
  });

  test('of one status are each shown once, also when the campaign ends meanwhile', async () => {
    const id = await running(7);
    const path = `/v1/campaigns/${id}/recipients`;
    const [skipped, ...others] = await rows(id);
    await deliver(others);
    const end = () => stored.campaigns.change(id, { status: 'sent' });
    const answers = await walk(path, { status: 'sent', limit: 2 }, end);
    expect(emailsIn(answers).sort()).toEqual(others.map(({ email }) => email).sort());
    const afterwards = await walk(path, { status: 'sent', limit: 4 });
    expect(emailsIn(afterwards).sort()).toEqual(others.map(({ email }) => email).sort());
    expect(emailsIn(await walk(path, {}))).toContain(skipped?.email);
  });

  test('a cursor belongs to its campaign and its status', async () => {
    const [one, other] = [await running(3), await running(3)];
    const { nextCursor: cursor } = await get(`/v1/campaigns/${one}/recipients`, { limit: 1 });
    for (const [id, query] of [
      [other, { cursor }],
      [one, { cursor, status: 'sent' }],
      [one, { cursor: 'x' }],
    ] as const) {
      const { body } = await api().get(`/v1/campaigns/${id}/recipients`).query(query).expect(422);
      expect(body.details).toMatchObject([{ path: 'cursor', code: 'invalid_cursor' }]);
    }
  });
});
