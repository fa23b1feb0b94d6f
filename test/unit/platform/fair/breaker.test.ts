import { Breaker } from '../../../../src/platform/fair/breaker';

const TIMES = { pausesMs: [100, 200, 400], storm: 3, stormMs: 1_000 };

function breaker() {
  const pauses: number[] = [];
  const clock = { now: 0 };
  const made = new Breaker(
    TIMES,
    (pauseMs) => pauses.push(pauseMs),
    () => clock.now,
  );
  return { made, pauses, clock };
}

test('pauses grow with each failure in a row, and what fails within a pause does not lengthen it', () => {
  const { made, pauses, clock } = breaker();
  for (let n = 0; n < 5; n++) {
    made.note('gone');
    made.note('gone');
    expect(made.restMs).toBeGreaterThan(0);
    expect(made.onTrial).toBe(true);
    clock.now += made.restMs;
  }
  expect(made.restMs).toBe(0);
  expect(pauses).toEqual([100, 200, 400, 400, 400]);
});

test('one message that is taken ends the trial', () => {
  const { made, pauses, clock } = breaker();
  made.note('gone');
  clock.now += 100;
  made.note('well');
  expect(made.onTrial).toBe(false);
  made.note('gone');
  expect(pauses).toEqual([100, 100]);
});

test('refusals for the moment count when they are many in a short time and nothing is taken', () => {
  const { made, pauses, clock } = breaker();
  const refusals: ('busy' | 'well' | 'later')[] = ['busy', 'busy', 'well', 'busy', 'later', 'busy', 'busy'];
  for (const one of refusals) {
    if (one === 'later') clock.now += 1_001;
    else made.note(one);
  }
  expect(pauses).toEqual([]);
  made.note('busy');
  expect(pauses).toEqual([100]);
});
