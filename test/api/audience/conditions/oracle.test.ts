import fc from 'fast-check';
import mongoose from 'mongoose';
import { compile, compileFacts } from '../../../../src/rules/conditions/compile';
import { evaluate } from '../../../../src/rules/conditions/evaluate';
import { factsNeeded } from '../../../../src/rules/conditions/inventory';
import { foldCase } from '../../../../src/rules/conditions/text';
import type { Tree } from '../../../../src/rules/conditions/types';
import { aProject } from '../../../support/platform/app';
import { NOW, OTHER_PROJECT, PROJECT, sampleContacts, storedApart } from '../../../support/data/condition-samples';
import { emails, events, factsOf, members } from '../../../support/data/condition-facts';
import { conditionTrees, singleConditions } from '../../../support/data/condition-trees';
import { only, parsed } from '../../../support/data/conditions';
import { queryPlans } from '../../../support/checks/query-plans';

const contacts = sampleContacts(80);
const STRANGERS = 20;

aProject();

const collection = (name: string) => mongoose.connection.collection<{ _id: string }>(name);

beforeAll(async () => {
  const strangers = sampleContacts(STRANGERS, OTHER_PROJECT).map((contact) => ({ ...contact, _id: `other_${contact._id}` }));
  await collection('contacts').insertMany([...contacts, ...strangers]);
  const { alone, rows } = storedApart(events);
  await collection('events').insertMany(alone);
  await collection('emails').insertMany([...emails, ...rows]);
  await collection('segment_members').insertMany(members);
});

const expected = (tree: Tree): string[] =>
  contacts
    .filter((contact) => evaluate(tree, contact, factsOf(tree, contact._id), NOW))
    .map(({ _id }) => _id)
    .sort();

const treeOf = (filter: object) => ({ logic: 'and', groups: [{ filters: [filter] }] });

const run = (tree: Tree, projectId = PROJECT) => {
  const { stages } = compile(tree, { projectId, now: NOW });
  return collection('contacts')
    .aggregate<{ _id: string }>([{ $match: { projectId } }, ...stages])
    .toArray();
};

const found = async (tree: Tree): Promise<string[]> => (await run(tree)).map(({ _id }) => _id).sort();

test.each([
  ['single filters', singleConditions, 250, 42],
  ['trees', conditionTrees, 120, 43],
] as const)(
  'the database and the evaluator agree on %s',
  async (_of, raws, numRuns, seed) => {
    let telling = 0;
    const agree = async (raw: unknown): Promise<void> => {
      const tree = parsed(raw);
      const ids = await found(tree);
      expect(ids).toEqual(expected(tree));
      if (ids.length > 0 && ids.length < contacts.length) telling++;
    };
    await fc.assert(fc.asyncProperty(raws, agree), { seed, numRuns });
    expect(telling).toBeGreaterThan(numRuns / 3);
  },
  120_000,
);

test('facts that were looked up are those that there are', async () => {
  const trees = fc.sample(conditionTrees, { numRuns: 60, seed: 44 }).map(parsed);
  const needed = factsNeeded(...trees);
  expect(needed.events.length * needed.emails.length * needed.segments.length).toBeGreaterThan(100);
  const { stages, read } = compileFacts(needed, PROJECT);
  const documents = await collection('contacts')
    .aggregate<{ _id: string }>([{ $match: { projectId: PROJECT, _id: { $in: ['ctc_3', 'ctc_4', 'ctc_5', 'ctc_70'] } } }, ...stages])
    .toArray();
  expect(documents).toHaveLength(4);
  for (const document of documents) {
    const facts = read(document);
    const all = trees.map((tree) => factsOf(tree, document._id));
    expect(facts.occurrences).toEqual(new Map(all.flatMap(({ occurrences }) => [...occurrences])));
    expect(facts.memberOf).toEqual(new Set(all.flatMap(({ memberOf }) => [...memberOf])));
  }
});

test('each letter meets the letters that differ from it in case, and no other', async () => {
  const letters = Array.from({ length: 0x1e943 }, (_, index) => index + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter)
    // Contacts are kept in this form.
    .filter((letter) => letter.normalize('NFC') === letter);
  const project = 'proj_letters';
  await collection('contacts').insertMany(letters.map((firstName, index) => ({ _id: `letter_${index}`, projectId: project, firstName })));
  for (let start = 0; start < letters.length; start += 500) {
    const tree = only('firstName', 'in', letters.slice(start, start + 500));
    const rows = (await run(tree, project)) as unknown as { firstName: string }[];
    const folded = new Set(letters.slice(start, start + 500).map(foldCase));
    expect(rows.map(({ firstName }) => firstName).sort()).toEqual(letters.filter((letter) => folded.has(foldCase(letter))).sort());
  }
});

test.each(['equals', 'startsWith', 'endsWith', 'contains'])('line ends are characters to %s', async (operator) => {
  const projectId = `proj_lines_${operator}`;
  const texts = ['a', 'a\n', '\na', 'x\na', 'a\n\n', '2026-06-15', '2026-06-15\n'];
  const rows = texts.map((text, index) => ({
    ...contacts[0]!,
    _id: `${operator}_${index}`,
    projectId,
    firstName: text,
    data: { a: text },
  }));
  await collection('contacts').insertMany(rows);
  for (const field of ['firstName', 'data.a']) {
    for (const value of texts) {
      const tree = only(field, operator, value);
      const wanted = rows.filter((row) => evaluate(tree, row, { occurrences: new Map(), memberOf: new Set() }, NOW)).map(({ _id }) => _id);
      expect((await run(tree, projectId)).map(({ _id }) => _id).sort()).toEqual(wanted.sort());
    }
  }
});

test.each(['signup', 'email.delivered'])('what passes is the contact as it is stored: %s', async (name) => {
  const tree = only(`event.${name}`, 'notTriggered');
  const [first] = await run(tree);
  expect(first).toEqual(contacts.find(({ _id }) => _id === first?._id));
});

test('conditions on the contact alone are one $match without a look-up', () => {
  const raw = {
    logic: 'or',
    groups: [
      { filters: [{ field: 'email', operator: 'equals', value: 'Ada@Example.com' }] },
      { filters: [{ field: 'data.plan', operator: 'greaterThan', value: 5 }] },
    ],
  };
  expect(compile(parsed(raw), { projectId: PROJECT, now: NOW })).toEqual({
    stages: [{ $match: { $or: [{ email: { $in: ['ada@example.com'] } }, { 'data.plan': { $gt: 5 } }] } }],
    touchesActivity: false,
  });
});

const seen = { field: 'event.signup', operator: 'triggered' };
const german = { field: 'locale', operator: 'equals', value: 'de' };
const british = { field: 'locale', operator: 'equals', value: 'en-GB' };

test.each([
  ['beside the activity', { logic: 'and', groups: [{ filters: [seen, german] }] }],
  ['in another group', { logic: 'and', groups: [{ filters: [seen] }, { filters: [german] }] }],
  ['in a nested tree', { logic: 'and', groups: [{ filters: [seen], conditions: { logic: 'or', groups: [{ filters: [german] }] } }] }],
  ['in each alternative', { logic: 'or', groups: [{ filters: [seen, german] }, { filters: [british] }] }],
])('contacts that cannot match are dropped before the look-up: %s', (_where, raw) => {
  const { stages, touchesActivity } = compile(parsed(raw), { projectId: PROJECT, now: NOW });
  expect(touchesActivity).toBe(true);
  expect(stages.map((stage) => Object.keys(stage)[0])).toEqual(['$match', '$lookup', '$match', '$unset']);
  expect(JSON.stringify(stages[0])).toContain('locale');
});

test('a fact is looked up once, and only for contacts that passed what was asked before', () => {
  const lately = { field: 'event.signup', operator: 'triggeredWithin', value: 7, unit: 'days' };
  const opened = { field: 'email.opened', operator: 'countAtLeast', value: 2 };
  const memberships = ['seg_1', 'seg_2'].map((id) => ({ field: `segment.${id}`, operator: 'memberOf' }));
  const raw = {
    logic: 'and',
    groups: [
      { filters: [seen, lately, opened] },
      { filters: [seen], conditions: { logic: 'or', groups: memberships.map((filter) => ({ filters: [filter] })) } },
    ],
  };
  const { stages } = compile(parsed(raw), { projectId: PROJECT, now: NOW });
  expect(stages.map((stage) => Object.keys(stage)[0]).join(' ')).toBe(
    '$lookup $match $match $lookup $lookup $set $match $match $set $lookup $match $unset',
  );
});

describe('indexes', () => {
  test.each([
    ['a range of creation', { field: 'createdAt', operator: 'within', value: 1, unit: 'hours' }, 'createdAt'],
    ['subscribed', { field: 'subscribed', operator: 'notEquals', value: false }, 'subscribed'],
  ])('%s', async (_what, filter, member) => {
    const plans = await queryPlans('contacts', () => found(parsed(treeOf(filter))));
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.every(({ plan }) => plan.startsWith('IXSCAN') && plan.includes(member))).toBe(true);
  });

  test.each([
    ['events', { field: 'event.signup', operator: 'triggeredWithin', value: 7, unit: 'days' }],
    ['grouped events', { field: 'event.email.delivered', operator: 'countAtLeast', value: 2 }],
    ['e-mails', { field: 'email.opened', operator: 'countAtLeast', value: 2, campaignId: 'cmp_1' }],
    ['memberships', { field: 'segment.seg_1', operator: 'memberOf' }],
  ])('%s are looked up by an index', async (_what, filter) => {
    const { stages } = compile(parsed(treeOf(filter)), { projectId: PROJECT, now: NOW });
    const pipeline = [{ $match: { projectId: PROJECT } }, ...stages];
    const explained = await collection('contacts').aggregate(pipeline).explain('executionStats');
    const lookups = (explained['stages'] as Record<string, unknown>[]).filter((stage) => '$lookup' in stage);
    expect(lookups.length).toBeGreaterThan(0);
    for (const lookup of lookups) {
      expect(Number(lookup['collectionScans'])).toBe(0);
      expect(Number(lookup['totalDocsExamined'])).toBeLessThan(1_500);
      expect(lookup['indexesUsed']).toHaveLength(1);
    }
  });
});

/** Texts of callers stand in patterns and expressions; none of them may be taken for more than itself. */
test.each(['.*', '(', '\\', '(?i)', '{"$ne":null}', '\\Q', 'a\0', '$$ROOT'])('%j is a text', async (value) => {
  for (const operator of ['equals', 'startsWith', 'endsWith', 'contains']) {
    for (const field of ['firstName', 'data.a', 'email']) {
      const tree = only(field, operator, value);
      expect(await found(tree)).toEqual(expected(tree));
    }
  }
});

test('the largest tree that may come in is carried out', async () => {
  const list = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(230, 'ϑ'));
  const inLists = Array.from({ length: 20 }, () => ({ field: 'data.a', operator: 'in', value: list }));
  const manyEvents = Array.from({ length: 50 }, (_, index) => ({ field: `event.e${index}`, operator: 'notTriggered' }));
  const manyEmails = Array.from({ length: 50 }, (_, index) => ({
    field: 'email.opened',
    operator: 'countLessThan',
    value: 9_000_000_000_000_000 + index,
  }));
  const manyDeliveries = manyEmails.map((filter) => ({ ...filter, field: 'event.email.delivered' }));
  const raw = {
    logic: 'or',
    groups: [{ filters: inLists }, { filters: manyEvents }, { filters: manyEmails.slice(0, 25) }, { filters: manyDeliveries.slice(0, 25) }],
  };
  const few = await run(
    parsed(treeOf({ field: 'event.email.delivered', operator: 'countLessThan', value: 9_000_000_000_000_000 })),
    OTHER_PROJECT,
  );
  expect(few).toHaveLength(STRANGERS);
  expect(await run(parsed(raw), OTHER_PROJECT)).toHaveLength(STRANGERS);
});
