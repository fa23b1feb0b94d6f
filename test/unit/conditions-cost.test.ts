import { evaluate } from '../../src/rules/conditions/evaluate';
import { parsed } from '../support/conditions';
import { elapsed, generousMilliseconds } from '../support/yardstick';

test('a thousand filters on a list of thousands are judged in seconds, whatever the letters', () => {
  const filters = Array.from({ length: 50 }, (_, index) => ({ field: 'data.list.name', operator: 'notEquals', value: `x${index}` }));
  const tree = parsed({ logic: 'and', groups: Array.from({ length: 20 }, () => ({ filters })) });
  const at = new Date();
  const data = { list: Array.from({ length: 4_000 }, () => ({ name: 'é' })) };
  const contact = {
    email: 'a@example.com',
    firstName: null,
    lastName: null,
    locale: null,
    subscribed: true,
    data,
    createdAt: at,
    updatedAt: at,
  };
  let holds = false;
  const took = elapsed(() => (holds = evaluate(tree, contact, { occurrences: new Map(), memberOf: new Set() }, at)));
  expect(holds).toBe(true);
  expect(took).toBeLessThan(4 * generousMilliseconds());
});
