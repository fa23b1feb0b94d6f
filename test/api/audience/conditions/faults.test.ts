import { aProject } from '../../../support/platform/app';
import { chain, node } from '../../../support/calls/automations';
import { faultsOf } from '../../../support/calls/campaigns';
import { all, memberOf } from '../../../support/calls/segment-calls';

const app = aProject();

const UNKNOWN = { field: 'nope', operator: 'exists' };
const NO_TEXT = { field: 'email', operator: 'equals', value: 5 };
const GOOD = { field: 'email', operator: 'exists' };

/** Trees with faults of shape and of meaning, and where each is reported, below the tree. */
const TREES: readonly (readonly [what: string, tree: unknown, faults: readonly string[]])[] = [
  [
    'an unknown key',
    all(UNKNOWN, { ...NO_TEXT, zz: 1 }),
    ['groups.0.filters.0.field invalid_condition', 'groups.0.filters.1.value invalid_condition', 'groups.0.filters.1.zz unrecognized_keys'],
  ],
  [
    'a field that is no text',
    all(UNKNOWN, { field: 5, operator: 'exists' }),
    ['groups.0.filters.0.field invalid_condition', 'groups.0.filters.1.field invalid_type'],
  ],
  ['a wrong logic', { ...all(UNKNOWN), logic: 'xor' }, ['groups.0.filters.0.field invalid_condition', 'logic invalid_enum_value']],
  ['no logic', { groups: [{ filters: [NO_TEXT] }] }, ['groups.0.filters.0.value invalid_condition', 'logic invalid_type']],
  [
    'members of a filter that are of a wrong type each',
    all({ field: 'email', operator: null, unit: 5 }, { field: 'createdAt', operator: 'within', value: 0, unit: 5, within: 'x' }),
    [
      'groups.0.filters.0.operator invalid_type',
      'groups.0.filters.0.unit invalid_type',
      'groups.0.filters.1.unit invalid_type',
      'groups.0.filters.1.value invalid_condition',
      'groups.0.filters.1.within invalid_type',
    ],
  ],
  [
    'a campaign that is no id, beside a wrong count',
    all({ field: 'email.opened', operator: 'countAtLeast', value: 0, campaignId: 'a b' }),
    ['groups.0.filters.0.campaignId invalid_string', 'groups.0.filters.0.value invalid_condition'],
  ],
  [
    'parts that are nothing of the kind',
    { logic: 'and', groups: [null, { filters: [7, UNKNOWN] }, { filters: {}, conditions: all(NO_TEXT) }, { filters: [], conditions: 5 }] },
    [
      'groups.0 invalid_type',
      'groups.1.filters.0 invalid_type',
      'groups.1.filters.1.field invalid_condition',
      'groups.2.conditions.groups.0.filters.0.value invalid_condition',
      'groups.2.filters invalid_type',
      'groups.3.conditions invalid_type',
    ],
  ],
  [
    'an empty group, a long one and one that is right',
    { logic: 'or', groups: [{ filters: [] }, { filters: Array.from({ length: 51 }, () => UNKNOWN) }, { filters: [GOOD] }] },
    ['groups.0.filters invalid_condition', 'groups.1.filters too_big'],
  ],
  ['no groups', { logic: 'and', groups: [] }, ['groups too_small']],
];

const reported = (body: unknown): string[] =>
  faultsOf(body)
    .map((fault) => fault.join(' '))
    .sort();
const below = (member: string, faults: readonly string[]): string[] => faults.map((fault) => `${member}.${fault}`);

describe.each(TREES)('all faults of a tree are reported at once, each once: %s', (_what, tree, faults) => {
  test.each([
    ['/v1/segments/preview', { conditions: tree }, below('conditions', faults)],
    ['/v1/segments', { name: '', conditions: tree }, [...below('conditions', faults), 'name too_small']],
    ['/v1/campaigns/audience-count', { audience: 'filter', filter: tree }, below('filter', faults)],
  ])('%s', async (path, body, expected) => {
    expect(reported((await app.api().post(path).send(body).expect(422)).body)).toEqual(expected);
  });
});

test('an automation reports them when it is activated', async () => {
  const conditions = all(
    UNKNOWN,
    { field: 'email.opened', operator: 'countAtLeast', value: 0, unit: 'weeks' },
    { ...GOOD, campaignId: 'cmp_1' },
  );
  const graph = chain(node('asks', 'condition', { conditions }));
  const draft = await app.api().post('/v1/workflows').send({ name: 'x', trigger: 'contact.created', graph }).expect(201);
  const { workflowId } = draft.body.data as { workflowId: string };
  const { body } = await app.api().patch(`/v1/workflows/${workflowId}`).send({ status: 'active' }).expect(422);
  const faults = ['0.field', '1.unit', '1.value', '1.within', '2.campaignId'];
  expect(reported(body)).toEqual(faults.map((fault) => `graph.nodes.1.config.conditions.groups.0.filters.${fault} invalid_graph`));
});

test('conditions that ask too much in all are reported beside the fault of a single filter', async () => {
  const group = { filters: Array.from({ length: 50 }, () => GOOD) };
  const nested = { logic: 'and', groups: [...Array.from({ length: 19 }, () => group), { filters: [NO_TEXT] }] };
  const conditions = { logic: 'and', groups: [{ ...group, conditions: nested }, { filters: [GOOD] }] };
  const { body } = await app.api().post('/v1/segments/preview').send({ conditions }).expect(422);
  expect(reported(body)).toEqual([
    'conditions invalid_condition',
    'conditions.groups.0.conditions.groups.19.filters.0.value invalid_condition',
  ]);
});

test.each([[null], [5], ['x'], [[]]])('conditions that are %j are one fault, of a static segment too', async (conditions) => {
  for (const type of ['static', 'dynamic']) {
    const { body } = await app.api().post('/v1/segments').send({ name: 'x', type, conditions }).expect(422);
    expect(reported(body)).toEqual(['conditions invalid_type']);
  }
});

describe('a filter that names something missing is reported as not_found', () => {
  const filters = all(memberOf('seg_x'), { field: 'email.sent', operator: 'triggered', campaignId: 'cmp_x' }, NO_TEXT);
  const expected = ['0.field not_found', '1.campaignId not_found', '2.value invalid_condition'];

  test.each([
    ['/v1/segments/preview', 'conditions', {}],
    ['/v1/segments', 'conditions', { name: 'x' }],
    ['/v1/campaigns/audience-count', 'filter', { audience: 'filter' }],
  ])('beside another fault: %s', async (path, member, rest) => {
    const { body } = await app
      .api()
      .post(path)
      .send({ ...rest, [member]: filters })
      .expect(422);
    expect(reported(body)).toEqual(expected.map((fault) => `${member}.groups.0.filters.${fault}`));
  });
});
