import { pauseEnd } from '../../../src/rules/pause';
import type { PauseChoice } from '../../../src/rules/pause';

test.each<[string, PauseChoice, string]>([
  ['2026-11-28T09:00:00Z', '2w', '2026-12-12T09:00:00Z'],
  ['2026-11-28T09:00:00Z', '1m', '2026-12-28T09:00:00Z'],
  ['2026-11-30T09:00:00Z', '3m', '2027-02-28T09:00:00Z'],
  ['2026-08-31T23:59:00Z', '6m', '2027-02-28T23:59:00Z'],
  ['2027-08-31T00:00:00Z', '6m', '2028-02-29T00:00:00Z'],
  ['2026-12-31T00:00:00Z', '1m', '2027-01-31T00:00:00Z'],
])('a pause from %s for %s ends at %s', (at, choice, end) => {
  expect(pauseEnd(new Date(at), choice)).toEqual(new Date(end));
});
