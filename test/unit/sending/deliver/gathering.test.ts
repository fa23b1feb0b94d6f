import { Gathering } from '../../../../src/sending/deliver/gathering';

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

test('of many, the first wait for others until half of the lanes have one', () => {
  expect([1, 9, 10, 11].map((finished) => gathering.isDone(finished, 5))).toEqual([false, false, true, true]);
  expect(gathering.isDone(1, 5)).toBe(false);
});

test('and no longer than a moment, whatever the others do', () => {
  expect([gathering.isDone(1, 19), looks]).toEqual([false, 0]);
  jest.advanceTimersByTime(10);
  expect([looks, gathering.isDone(2, 18), gathering.isDone(1, 18)]).toEqual([1, true, false]);
});

test('without a result there is nothing to do', () => {
  expect(gathering.isDone(0, 0)).toBe(false);
  jest.advanceTimersByTime(10);
  expect(looks).toBe(0);
});
