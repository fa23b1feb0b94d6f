import { DueMail } from '../../../../src/sending/deliver/pump';
import { claim } from '../../../../src/records/emails/attempts';
import { nextDueAt } from '../../../../src/records/emails/oldest-due';
import type { Email } from '../../../../src/records/emails/model';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { claimOf } from '../../../support/data/claims';
import { storeEmails } from '../../../support/data/email-rows';
import { eventually } from '../../../support/platform/platform';
import { lookedAt, queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

aProject();
let one: string;
let other: string;

beforeAll(async () => {
  [one, other] = [(await newProject('One')).projectId, (await newProject('Other')).projectId].sort() as [string, string];
});
afterEach(() => stored.emails.remove());

const NONE = { ids: [], crowding: [] };
const SINCE = Date.now() - 60_000;
const at = (second: number): Partial<Email> => ({ dueAt: new Date(SINCE + second * 1000) });
const due = (count: number, change: (n: number) => Partial<Email> = () => at(0), projectId = one): Promise<Email[]> =>
  storeEmails(projectId, ...Array.from({ length: count }, (_, n) => change(n)));
const idsOf = (emails: readonly Email[]): string[] => emails.map(({ _id }) => _id);

/** As the pump does it: what is found is taken, and the next page is asked for, until there is no more. */
async function take(mail: DueMail): Promise<string[]> {
  const taken: string[] = [];
  for (let after = ''; ;) {
    const { due: found, next, partial } = await mail.page(new Date(), after, NONE);
    taken.push(...(await claim(claimOf(found, { id: newId('att'), worker: 'wrk', at: new Date() }))));
    if (next === '' && !(found.length > 0 && partial)) return taken;
    after = next;
  }
}

test('each is found once, the earliest first, also when all are due at one instant', async () => {
  const [many, alike] = [await due(230, (n) => at(n / 100)), await due(250, () => at(10))];
  expect(await take(new DueMail(3))).toEqual([...idsOf(many), ...idsOf(alike).sort()]);
});

test('a page says whether more may be due, so that what is less than a share needs no second look', async () => {
  await due(99);
  expect(await new DueMail(3).page(new Date(), '', NONE)).toMatchObject({ next: '', partial: false });
  await due(1);
  expect(await new DueMail(3).page(new Date(), '', NONE)).toMatchObject({ partial: true });
});

test('what comes before the place that was reached is found soon: of its project, of another, and what goes first', async () => {
  const mail = new DueMail(3);
  await due(400, () => ({ ...at(10), priority: 1 }));
  const first = await mail.page(new Date(), '', NONE);
  expect(first.due).toHaveLength(100);
  const late = [
    ...(await due(1, () => at(1))),
    ...(await due(1, () => ({ ...at(1), priority: 1 }))),
    ...(await due(1, () => at(20), other)),
  ];
  const seen = new Set<string>();
  let second = 20;
  await eventually('all are found', async () => {
    second += 0.01;
    await due(200, () => ({ ...at(second), priority: 1 }));
    for (const { _id } of (await mail.page(new Date(), '', NONE)).due) seen.add(_id);
    return late.every(({ _id }) => seen.has(_id));
  });
});

test('what waits behind a full share of what goes first is found with the next look, though that share still waits', async () => {
  const first = await due(100);
  const [later] = await due(1, () => ({ ...at(0), priority: 1 }));
  const mail = new DueMail(3);
  expect((await mail.page(new Date(), '', NONE)).due).toHaveLength(100);
  expect(idsOf((await mail.page(new Date(), '', { ids: idsOf(first), crowding: [] })).due)).toEqual([later?._id]);
});

test('no project gets further than its share ahead of another', async () => {
  await due(150, () => at(0), one);
  await due(150, () => at(5), other);
  const { due: found } = await new DueMail(3).page(new Date(), '', NONE);
  expect([one, other].map((projectId) => found.filter((email) => email.projectId === projectId).length)).toEqual([100, 100]);
});

test('a project of which enough wait for their destinations hides no other one, in whichever order they come', async () => {
  await due(150, () => at(0), one);
  const theirs = await due(3, () => at(5), other);
  const without = (projectId: string) => new DueMail(3).page(new Date(), '', { ids: [], crowding: [projectId] });
  expect(idsOf((await without(one)).due)).toEqual(idsOf(theirs));
  expect((await without(other)).due).toHaveLength(100);
});

test('what is not due yet is not found, and no look reads more than the index of what is due', async () => {
  await due(120, (n) => (n < 110 ? at(n / 100) : { dueAt: new Date(Date.now() + 3_600_000) }));
  const mail = new DueMail(3);
  const taken: string[][] = [];
  const plans = await queryPlans('emails', async () => {
    for (let page = 0; page < 2; page++) taken.push(idsOf((await mail.page(new Date(), '', NONE)).due));
  });
  expect(taken.map(({ length }) => length)).toEqual([100, 10]);
  expect(new Set(taken.flat()).size).toBe(110);
  for (const { plan, sorted } of plans) expect([plan, sorted]).toEqual([expect.stringMatching(/^IXSCAN .*dueAt/), false]);
});

test('when the next message is due is known by a look at each project, however many messages wait', async () => {
  await due(500, (n) => ({ ...at(n + 30), priority: n % 2 }));
  await due(200, (n) => at(n + 20), other);
  await due(1, () => ({ ...at(7), priority: 1 }), other);
  await due(1, () => ({ ...at(1), priority: 2 }), other);
  let next: Date | null = null;
  const looks = await lookedAt('emails', async () => (next = await nextDueAt(3)));
  expect(next).toEqual(at(7).dueAt);
  expect(looks).toBeLessThan(30);
});
