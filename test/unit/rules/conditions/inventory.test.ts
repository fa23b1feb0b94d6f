import {
  campaignRefs,
  dependsOnTime,
  emailStatuses,
  eventNames,
  factsNeeded,
  fieldsRead,
  segmentRefs,
} from '../../../../src/rules/conditions/inventory';
import { parsed } from '../../../support/data/conditions';

const treeOf = (...filters: object[]) => ({ logic: 'and', groups: [{ filters }] });

const tree = parsed({
  logic: 'or',
  groups: [
    {
      filters: [
        { field: 'event.signup', operator: 'triggered' },
        { field: 'event.signup', operator: 'notTriggeredWithin', value: 7, unit: 'days' },
        { field: 'event.signup', operator: 'countAtLeast', value: 3 },
        { field: 'email.opened', operator: 'triggered' },
        { field: 'data.plan.name', operator: 'equals', value: 'pro' },
        { field: 'segment.seg_1', operator: 'memberOf' },
      ],
      conditions: {
        logic: 'and',
        groups: [
          {
            filters: [
              { field: 'email.opened', operator: 'triggered', campaignId: 'cmp_1' },
              { field: 'email.clicked', operator: 'countLessThan', value: 1, campaignId: 'cmp_1' },
              { field: 'segment.seg_2', operator: 'notMemberOf' },
              { field: 'segment.seg_1', operator: 'notMemberOf' },
              { field: 'data.plan', operator: 'exists' },
              { field: 'data.city', operator: 'exists' },
              { field: 'event.paid', operator: 'triggered' },
            ],
          },
        ],
      },
    },
  ],
});

test('an inventory of conditions names what the tree reads, each once, nested ones too', () => {
  expect(segmentRefs(tree)).toEqual(['seg_1', 'seg_2']);
  expect(eventNames(tree)).toEqual(['signup', 'paid']);
  expect(emailStatuses(tree)).toEqual(['opened', 'clicked']);
  expect(campaignRefs(tree)).toEqual(['cmp_1']);
  expect(fieldsRead(tree)).toEqual(['plan', 'city']);
});

test('the facts of several trees are named together', () => {
  const other = parsed(
    treeOf({ field: 'event.paid', operator: 'triggeredOlderThan', value: 1, unit: 'days' }, { field: 'event.new', operator: 'triggered' }),
  );
  const { events, emails, segments } = factsNeeded(tree, other);
  expect(events.map(({ activity, nth }) => [activity.name, nth])).toEqual([
    ['signup', 1],
    ['signup', 3],
    ['paid', 1],
    ['new', 1],
  ]);
  expect(emails.map(({ activity, nth }) => [activity.status, activity.campaignId, nth])).toEqual([
    ['opened', null, 1],
    ['opened', 'cmp_1', 1],
    ['clicked', 'cmp_1', 1],
  ]);
  expect(segments).toEqual(['seg_1', 'seg_2']);
});

test.each([
  [{ field: 'createdAt', operator: 'within', value: 1, unit: 'days' }, true],
  [{ field: 'data.seen', operator: 'olderThan', value: 1, unit: 'days' }, true],
  [{ field: 'event.x', operator: 'triggeredWithin', value: 1, unit: 'days' }, true],
  [{ field: 'event.x', operator: 'notTriggeredWithin', value: 1, unit: 'days' }, true],
  [{ field: 'email.sent', operator: 'triggeredOlderThan', value: 1, unit: 'days' }, true],
  [{ field: 'event.x', operator: 'countLessThan', value: 1, within: 1, unit: 'days' }, true],
  [{ field: 'event.x', operator: 'countLessThan', value: 1 }, false],
  [{ field: 'event.x', operator: 'notTriggered' }, false],
  [{ field: 'createdAt', operator: 'greaterThan', value: '2026-01-01' }, false],
  [{ field: 'segment.s', operator: 'memberOf' }, false],
])('%j depends on time: %s', (filter, expected) => {
  expect(dependsOnTime(parsed(treeOf(filter)))).toBe(expected);
  expect(dependsOnTime(parsed({ logic: 'and', groups: [{ filters: [], conditions: treeOf(filter) }] }))).toBe(expected);
});
