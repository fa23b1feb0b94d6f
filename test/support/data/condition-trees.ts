import fc from 'fast-check';
import { CAMPAIGNS, DATES, EVENTS, SEGMENTS, date, number, scalar, text } from './condition-samples';

const filterDate = fc.constantFrom(...DATES);
const amount = fc.constantFrom(1, 7, 0.5, 30, 168, 1e300);
const unit = fc.constantFrom('minutes', 'hours', 'days');
const duration = fc.record({ operator: fc.constantFrom('within', 'olderThan'), value: amount, unit });

const textual = (operand: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ operator: fc.constantFrom('equals', 'notEquals'), value: operand }) },
    {
      weight: 2,
      arbitrary: fc.record({ operator: fc.constantFrom('in', 'notIn'), value: fc.array(operand, { minLength: 1, maxLength: 6 }) }),
    },
    { weight: 1, arbitrary: fc.record({ operator: fc.constantFrom('exists', 'notExists') }) },
    {
      weight: 4,
      arbitrary: fc.record({
        operator: fc.constantFrom('contains', 'notContains', 'startsWith', 'endsWith'),
        value: fc.oneof(text, date, fc.constantFrom('a', 'K', 'S', 'ß', 'σ', 'ο', '2026-06', '@', 'DE', '.', 'COM', '\n')),
      }),
    },
  );
const orders = fc.constantFrom('greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual');
const ordered = (operand: fc.Arbitrary<unknown>) => fc.record({ operator: orders, value: operand });
const timely = fc.oneof(duration, ordered(filterDate), fc.record({ operator: fc.constantFrom('equals', 'notEquals'), value: filterDate }));

const dataPath = fc.constantFrom(
  'data.a',
  'data.a.b',
  'data.a.b.c',
  'data.d',
  'data.d.c.b',
  'data.tags',
  'data.tags.b',
  'data.plan',
  'data.gone',
);
const address = fc.oneof(
  text,
  fc.constantFrom('ADA0@xn--strae-oqa.de', 'sam1@example.com', 'ſam1@example.com', '\u212aim2@example.com', 'ada4@EXAMPLE.com'),
);

const activityTest = fc.oneof(
  fc.record({ operator: fc.constantFrom('triggered', 'notTriggered') }),
  fc.record({ operator: fc.constantFrom('triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'), value: amount, unit }),
  fc.record({ operator: fc.constantFrom('countAtLeast', 'countLessThan'), value: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ operator: fc.constantFrom('countAtLeast', 'countLessThan'), value: fc.integer({ min: 1, max: 3 }), within: amount, unit }),
);

const join = (field: fc.Arbitrary<string>, test: fc.Arbitrary<object>) =>
  fc.tuple(field, test).map(([name, rest]) => ({ field: name, ...rest }));

const filter = fc.oneof(
  { weight: 2, arbitrary: join(fc.constantFrom('firstName', 'lastName', 'locale', 'timezone'), textual(text)) },
  { weight: 1, arbitrary: join(fc.constant('email'), textual(address)) },
  {
    weight: 1,
    arbitrary: join(fc.constant('subscribed'), fc.record({ operator: fc.constantFrom('equals', 'notEquals'), value: fc.boolean() })),
  },
  { weight: 2, arbitrary: join(fc.constantFrom('createdAt', 'updatedAt'), timely) },
  { weight: 8, arbitrary: join(dataPath, fc.oneof(textual(scalar), timely, ordered(number))) },
  { weight: 2, arbitrary: join(fc.constantFrom(...EVENTS.map((name) => `event.${name}`)), activityTest) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        join(
          fc.constantFrom('sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained').map((status) => `email.${status}`),
          activityTest,
        ),
        fc.option(fc.constantFrom(...CAMPAIGNS, 'cmp_unknown')),
      )
      .map(([rest, campaignId]) => (campaignId ? { ...rest, campaignId } : rest)),
  },
  {
    weight: 1,
    arbitrary: join(
      fc.constantFrom(...SEGMENTS.map((id) => `segment.${id}`)),
      fc.record({ operator: fc.constantFrom('memberOf', 'notMemberOf') }),
    ),
  },
);

const logic = fc.constantFrom('and', 'or');
const group = (nested: fc.Arbitrary<unknown>) =>
  fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: filter.map((one) => [one]) }, { weight: 2, arbitrary: fc.tuple(filter, filter) }),
      fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: nested }),
    )
    .map(([filters, conditions]) => (conditions ? { filters, conditions } : { filters }));
const tree = (nested: fc.Arbitrary<unknown>) => fc.record({ logic, groups: fc.array(group(nested), { minLength: 1, maxLength: 3 }) });

/** Trees that are valid, as they come in. */
export const conditionTrees: fc.Arbitrary<unknown> = tree(tree(tree(fc.constant(null))));
/** Trees of one filter, which blame it alone when they fail. */
export const singleConditions: fc.Arbitrary<unknown> = filter.map((only) => ({ logic: 'and', groups: [{ filters: [only] }] }));
