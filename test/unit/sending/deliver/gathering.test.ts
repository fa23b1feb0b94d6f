import { Gathering } from '../../../../src/sending/deliver/engine-parts';

const HALF_OF_THE_LANES = 10;

let looks = 0;
let gathering: Gathering;

beforeEach(() => {
  jest.useFakeTimers();
  looks = 0;
  gathering = new Gathering(HALF_OF_THE_LANES, () => looks++);
});
afterEach(() => jest.useRealTimers());

test('the result of a message that is alone does not wait', () => {
  expect(gathering.isDone(1, 0)).toBe(true);
});

test('the first results of many messages wait for others until half of the lanes have one', () => {
  expect([1, 9, 10, 11].map((finished) => gathering.isDone(finished, 5))).toEqual([false, false, true, true]);
  expect(gathering.isDone(1, 5)).toBe(false);
});

test('results wait for others no longer than a moment', () => {
  expect([gathering.isDone(1, 19), looks]).toEqual([false, 0]);
  jest.advanceTimersByTime(10);
  expect([looks, gathering.isDone(2, 18), gathering.isDone(1, 18)]).toEqual([1, true, false]);
});

test('a gathering without a result has nothing to do', () => {
  expect(gathering.isDone(0, 0)).toBe(false);
  jest.advanceTimersByTime(10);
  expect(looks).toBe(0);
});
