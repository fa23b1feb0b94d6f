import { CampaignModel } from '../../../../src/marketing/campaigns/model';
import { createProject } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/app';
import type { TestApp } from '../../../support/app';
import { campaignCalls } from '../../../support/campaigns';

const app = aProject();
let keys: TestApp['keys'];

beforeEach(async () => {
  keys = await createProject('Recipients');
});

const { rows, deliver, running } = campaignCalls(() => ({ ...app, keys, api: (key = keys.test) => app.api(key) }));

type Row = Readonly<Record<string, unknown>>;
interface Answer {
  readonly data: { readonly data: readonly Row[]; readonly nextCursor?: string | null };
  readonly nextCursor?: string | null;
}

const api = () => app.api(keys.secret);
const get = async (path: string, query: object = {}): Promise<Answer> => (await api().get(path).query(query).expect(200)).body as Answer;
/** All answers of a walk; `between` runs once, after the first of them. */
async function walk(
  path: string,
  query: object,
  between: (first: Answer) => Promise<unknown> = () => Promise.resolve(),
): Promise<Answer[]> {
  const answers = [await get(path, query)];
  await between(answers[0] as Answer);
  for (let cursor = answers[0]?.data.nextCursor; cursor; cursor = answers.at(-1)?.data.nextCursor) {
    answers.push(await get(path, { ...query, cursor }));
  }
  return answers;
}
const rowsIn = (answers: readonly Answer[]): readonly Row[] => answers.flatMap(({ data }) => data.data);

describe('the recipients of a campaign', () => {
  const emailsIn = (answers: readonly Answer[]) => rowsIn(answers).map((row) => row['email']);

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
    const end = () => CampaignModel.updateOne({ _id: id }, { $set: { status: 'sent' } });
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
