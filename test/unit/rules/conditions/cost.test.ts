import { evaluate } from '../../../../src/rules/conditions/evaluate';
import { parsed } from '../../../support/data/conditions';
import { leastElapsed } from '../../../support/checks/yardstick';

test('a thousand filters on a list of texts cost about as much with any letters', async () => {
  const filters = Array.from({ length: 50 }, (_, index) => ({ field: 'data.list.name', operator: 'notEquals', value: `x${index}` }));
  const tree = parsed({ logic: 'and', groups: Array.from({ length: 20 }, () => ({ filters })) });
  const at = new Date();
  const contact = {
    email: 'a@example.com',
    firstName: null,
    lastName: null,
    locale: null,
    timezone: null,
    subscribed: true,
    createdAt: at,
    updatedAt: at,
  };
  const judged = (name: string) => () => {
    const data = { list: Array.from({ length: 500 }, () => ({ name })) };
    expect(evaluate(tree, { ...contact, data }, { occurrences: new Map(), memberOf: new Set() }, at)).toBe(true);
  };
  expect((await leastElapsed(judged('é'.repeat(200)))) / (await leastElapsed(judged('e'.repeat(200))))).toBeLessThan(4);
});
