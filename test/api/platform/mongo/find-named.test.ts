import { findNamed } from '../../../../src/platform/mongo/whole';
import { TemplateModel } from '../../../../src/sending/templates/model';
import { largestAnswer } from '../../../support/checks/query-plans';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

aProject();
const keys = aFreshProject('Named');

/** Stores templates whose bodies have so many characters, newest last. */
async function storeTemplates(lengths: readonly number[]): Promise<void> {
  const made = lengths.map((length, index) => ({
    _id: `tpl_${keys.projectId}_${index}`,
    projectId: keys.projectId,
    name: `T${index}`,
    type: 'marketing',
    subject: `S${index}`,
    fromName: null,
    fromEmail: 'a@hello.test',
    version: 1,
    body: 'x'.repeat(length),
    createdAt: new Date(1_700_000_000_000 + index),
    updatedAt: new Date(),
  }));
  await stored.templates.collection.insertMany(made);
}

const find = <K extends 'subject' | 'body'>(members: readonly K[], isWanted: (row: object) => boolean) =>
  findNamed(TemplateModel, { filter: { projectId: keys.projectId }, members, isWanted });

test('finds what is wanted, newest first, by id and name', async () => {
  await storeTemplates(Array.from({ length: 30 }, () => 10));
  const judged: object[] = [];
  const found = await find(['subject'], (row) => judged.push(row) % 2 === 0);
  expect(judged).toHaveLength(30);
  expect(judged[0]).toMatchObject({ subject: 'S29' });
  expect(found.map(({ name }) => name)).toEqual(Array.from({ length: 15 }, (_, index) => `T${28 - 2 * index}`));
  expect(found[0]).toEqual({ _id: `tpl_${keys.projectId}_28`, name: 'T28' });
});

test('reads about a mebibyte at a time, and nothing but what is asked for', async () => {
  await storeTemplates(Array.from({ length: 10 }, () => 500_000));
  expect(await largestAnswer('templates', () => find(['body'], () => true))).toBeLessThan(1_600_000);
  expect(await largestAnswer('templates', () => find(['subject'], () => true))).toBeLessThan(5_000);
});

test('the event loop goes on between rows that are long to judge', async () => {
  await storeTemplates(Array.from({ length: 12 }, () => 10));
  let turns = 0;
  const turn = (): void => {
    turns++;
    turning = setImmediate(turn);
  };
  let turning = setImmediate(turn);
  const seen: number[] = [];
  await find(['subject'], () => {
    seen.push(turns);
    const end = performance.now() + 40;
    while (performance.now() < end);
    return true;
  });
  clearImmediate(turning);
  expect(new Set(seen).size).toBe(12);
});
