import { readersOf, renderDesign } from '../../../../src/rules/blocks';
import type { FieldTest } from '../../../../src/rules/blocks';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: {} });
const api = () => app.api();

const PEOPLE = [
  { email: 'pro@example.com', firstName: 'Ada', data: { plan: 'pro', seats: 5, trial: true } },
  { email: 'free@example.com', firstName: null, data: { plan: 'free', seats: 0, trial: false } },
  { email: 'empty@example.com', firstName: 'Grace', data: { plan: '', seats: 30 } },
  { email: 'nothing@example.com', firstName: null, data: {} },
];

beforeAll(async () => {
  await stored.contacts.remove();
  for (const person of PEOPLE) await api().post('/v1/contacts').send(person).expect(201);
});

test.each<readonly ['all' | 'any', readonly FieldTest[]]>([
  ['all', [{ field: 'data.plan', operator: 'present' }]],
  ['all', [{ field: 'data.plan', operator: 'absent' }]],
  ['all', [{ field: 'data.seats', operator: 'present' }]],
  ['all', [{ field: 'data.trial', operator: 'absent' }]],
  ['all', [{ field: 'firstName', operator: 'present' }]],
  ['all', [{ field: 'firstName', operator: 'absent' }]],
  ['all', [{ field: 'data.plan', operator: 'equals', value: 'pro' }]],
  ['all', [{ field: 'data.plan', operator: 'differs', value: 'pro' }]],
  ['all', [{ field: 'data.seats', operator: 'greater', value: 4 }]],
  ['all', [{ field: 'data.seats', operator: 'less', value: 5 }]],
  [
    'all',
    [
      { field: 'data.plan', operator: 'present' },
      { field: 'data.seats', operator: 'greater', value: 1 },
    ],
  ],
  [
    'any',
    [
      { field: 'data.trial', operator: 'equals', value: true },
      { field: 'data.seats', operator: 'greater', value: 10 },
    ],
  ],
])('as many contacts match a condition of a design as see its blocks: %s %j', async (match, tests) => {
  const shown = { kind: 'text', id: 's', lines: [{ spans: [{ text: 'seen' }] }] } as const;
  const body = renderDesign({ version: 1, blocks: [{ kind: 'condition', id: 'c', match, tests, blocks: [shown] }] });
  const seen: string[] = [];
  for (const { email } of PEOPLE) {
    const preview = await api().post('/v1/templates/preview').send({ subject: 's', body, contact: email }).expect(200);
    if (String(preview.body.data.text).includes('seen')) seen.push(email);
  }
  const counted = await api()
    .post('/v1/segments/preview')
    .send({ conditions: readersOf(match, tests) })
    .expect(200);
  expect((counted.body.data.sample as { email: string }[]).map(({ email }) => email).sort()).toEqual(seen.sort());
});

test('a field that is no contact’s cannot be counted', () => {
  expect(readersOf('all', [{ field: 'order.number', operator: 'present' }])).toBeNull();
  expect(readersOf('all', [{ field: 'item.name', operator: 'present' }])).toBeNull();
});
