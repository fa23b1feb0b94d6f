import { aProject } from '../../../support/platform/app';
import { all, plan, segmentCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';
import { rowsOf } from '../../../support/calls/lists';

const app = aProject();

const { api, contact, dynamic, fixed, freshAddress } = segmentCalls(() => app);

interface Listed {
  readonly contactId: string;
  readonly email: string;
  readonly createdAt: string;
}

const LAST_YEAR = Date.parse('2025-06-01T00:00:00Z');

/** Seven contacts on a plan, made in pairs at the same moment; the ids are in no order, and neither are the moments. */
async function people(value: string): Promise<string[]> {
  const emails = Array.from({ length: 7 }, freshAddress);
  for (const [index, email] of emails.entries()) {
    await contact(email, { data: { plan: value } });
    await stored.contacts.change({ email }, { createdAt: new Date(LAST_YEAR + ((index * 3) % 4) * 60_000) });
  }
  return emails;
}

const put = (segmentId: string, emails: readonly string[]) => api().post(`/v1/segments/${segmentId}/members`).send({ emails }).expect(200);

const walk = (segmentId: string, between?: () => Promise<unknown>): Promise<Listed[]> =>
  rowsOf(api(), `/v1/segments/${segmentId}/members`, { limit: 2 }, between);

const newestFirst = (rows: readonly Listed[]): readonly Listed[] =>
  [...rows].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.contactId < b.contactId ? 1 : -1));

describe('members come newest contact first, contacts of one moment by their ids, however they entered', () => {
  test.each<[string, (emails: readonly string[], value: string) => Promise<string>]>([
    [
      'together by hand',
      async (emails) => {
        const { segmentId } = await fixed();
        await put(segmentId, emails);
        return segmentId;
      },
    ],
    [
      'one after another by hand',
      async (emails) => {
        const { segmentId } = await fixed();
        for (const email of emails) await put(segmentId, [email]);
        return segmentId;
      },
    ],
    ['by an edit', async (_emails, value) => (await dynamic(all(plan(value)))).segmentId],
    [
      'by a comparison',
      async (emails, value) => {
        const { segmentId } = await dynamic(all(plan(`${value} later`)));
        await stored.contacts.changeAll({ email: { $in: [...emails] } }, { 'data.plan': `${value} later` });
        await api().post(`/v1/segments/${segmentId}/refresh`).send({}).expect(200);
        return segmentId;
      },
    ],
  ])('%s', async (way, enter) => {
    const emails = await people(way);
    const rows = await walk(await enter(emails, way));
    expect(rows.map(({ email }) => email).sort()).toEqual([...emails].sort());
    expect(rows).toEqual(newestFirst(rows));
  });
});

test('a contact that enters or leaves during a walk hides and repeats no other', async () => {
  const emails = await people('walked');
  const { segmentId } = await fixed();
  await put(segmentId, emails);
  const before = await walk(segmentId);
  const others = await people('others');
  const leaves = before.pop();
  const rows = await walk(segmentId, async () => {
    await put(segmentId, others);
    await api()
      .delete(`/v1/segments/${segmentId}/members/${leaves?.contactId ?? ''}`)
      .expect(200);
  });
  expect(rows.filter(({ email }) => emails.includes(email))).toEqual(before);
  expect(new Set(rows.map(({ contactId }) => contactId)).size).toBe(rows.length);
  expect(rows).toEqual(newestFirst(rows));
});
