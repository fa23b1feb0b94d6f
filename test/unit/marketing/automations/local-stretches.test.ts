import { LocalStretches } from '../../../../src/marketing/automations/local-stretches';

const AT_ONCE = 48;
const LATE_MS = 2_000;

let steps: LocalStretches;
let called: number;

const promisesDone = () => jest.advanceTimersByTimeAsync(0);
const goesOn = (n: number) =>
  steps.run({ executionId: `prj_a_${n}`, projectId: 'prj_a', now: Date.now() }, () =>
    Promise.resolve({ todo: { next: 'over', status: 'completed' }, way: [] }),
  );

/** Nudges so many executions of a project. */
function nudge(many: number, projectId = 'prj_a'): Promise<unknown> {
  for (let n = 0; n < many; n++) {
    void steps.expect({ executionId: `${projectId}_${n}`, projectId }, () => {
      called++;
      return Promise.resolve();
    });
  }
  return promisesDone();
}

beforeEach(() => {
  jest.useFakeTimers();
  steps = new LocalStretches();
  called = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

test('no more of a crowd are nudged than go on here, but those that go on elsewhere are waited for two seconds only', async () => {
  await goesOn(1_000);
  await nudge(3 * AT_ONCE);
  expect(called).toBe(AT_ONCE);
  await nudge(2, 'prj_b');
  expect(called).toBe(AT_ONCE + 2);
  await Promise.all([goesOn(0), goesOn(1)]);
  await promisesDone();
  expect(called).toBe(AT_ONCE + 4);
  await jest.advanceTimersByTimeAsync(LATE_MS);
  expect(called).toBeGreaterThan(2 * AT_ONCE);
  await jest.advanceTimersByTimeAsync(LATE_MS);
  expect(called).toBe(3 * AT_ONCE + 2);
});

test('a process that carries no executions on waits for none', async () => {
  await nudge(3 * AT_ONCE);
  expect(called).toBe(3 * AT_ONCE);
});

test('a call that fails is not waited for', async () => {
  await goesOn(1_000);
  const failing = Array.from({ length: 2 * AT_ONCE }, (_, n) =>
    steps.expect({ executionId: `exe_${n}`, projectId: 'prj_a' }, () => Promise.reject(new Error('Away'))),
  );
  expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);
  await nudge(AT_ONCE);
  expect(called).toBe(AT_ONCE);
});

const never = () => new Promise<never>(() => undefined);
const ends = () => Promise.resolve({ todo: { next: 'over', status: 'completed' } as const, way: [] });
const PROJECTS = Array.from({ length: 40 }, (_, n) => `prj_${n}`);

test('steps that do not end keep their places for the five seconds that their tasks last', async () => {
  for (const projectId of PROJECTS) {
    for (const n of [1, 2]) void steps.run({ executionId: `exe_${projectId}_${n}`, projectId, now: Date.now() }, never);
  }
  await jest.advanceTimersByTimeAsync(4_900);
  const late = steps.run({ executionId: 'exe_late', projectId: 'prj_late', now: Date.now() }, ends);
  await jest.advanceTimersByTimeAsync(150);
  expect((await late).todo).toEqual({ next: 'over', status: 'completed' });
});

test('of steps that go on as activities a project has no more than a part of the worker, and the others come back', async () => {
  const begun: string[] = [];
  const sentAway: unknown[] = [];
  const apart = (projectId: string) =>
    void steps
      .runApart({ projectId }, () => {
        begun.push(projectId);
        return never();
      })
      .catch((error: unknown) => sentAway.push(error));
  for (let n = 0; n < 100; n++) apart('prj_a');
  apart('prj_b');
  await promisesDone();
  expect(begun.filter((projectId) => projectId === 'prj_a')).toHaveLength(32);
  expect(begun).toContain('prj_b');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(sentAway).toHaveLength(68);
  expect(sentAway).toContainEqual(expect.objectContaining({ name: 'NoPlace', returnInMs: expect.any(Number) }));
});
