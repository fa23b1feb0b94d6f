import { Bursts } from '../../../../src/platform/fair/bursts';

const OPTIONS = { eachMs: 50, mostMs: 200, patienceMs: 0, aloneMs: 1_000 };
let begun: string[];
let bursts: Bursts;

function come(...names: readonly string[]): Promise<void> {
  for (const name of names) void bursts.begin(name.charAt(0)).then(() => begun.push(name));
  return jest.advanceTimersByTimeAsync(0).then(() => undefined);
}

beforeEach(async () => {
  jest.useFakeTimers();
  begun = [];
  bursts = new Bursts(OPTIONS);
  await come('a0');
  await jest.advanceTimersByTimeAsync(OPTIONS.aloneMs);
});
afterEach(() => {
  jest.useRealTimers();
});

test('what comes alone begins at once; what comes soon after it begins together, and less often the more it is', async () => {
  await come('a1', 'a2', 'a3', 'a4');
  expect(begun).toEqual(['a0', 'a1']);
  await jest.advanceTimersByTimeAsync(50);
  expect(begun.slice(2)).toEqual(['a2', 'a3', 'a4']);
  await come('a5');
  await jest.advanceTimersByTimeAsync(149);
  expect(begun.slice(5)).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(begun.slice(5)).toEqual(['a5']);
  await jest.advanceTimersByTimeAsync(50);
  await come('a6');
  expect(begun.slice(6)).toEqual(['a6']);
});

test('a call waits no longer than the most, however many began before it', async () => {
  await come(...Array.from({ length: 50 }, (_, n) => `a${n}`));
  await jest.advanceTimersByTimeAsync(50);
  await come('a-late');
  await jest.advanceTimersByTimeAsync(200);
  expect(begun.at(-1)).toBe('a-late');
});

test('a call does not wait while another one comes, and for a while afterwards', async () => {
  await come('a1', 'a2', 'b1', 'a3', 'b2');
  expect(begun).toEqual(['a0', 'a1', 'b1', 'a3', 'b2']);
  await jest.advanceTimersByTimeAsync(50);
  expect(begun.slice(5)).toEqual(['a2']);
  await come('a4');
  await jest.advanceTimersByTimeAsync(OPTIONS.aloneMs);
  await come('a5', 'a6');
  expect(begun.slice(6)).toEqual(['a4', 'a5']);
});

describe('where work is waited for', () => {
  const overs = new Map<string, () => void>();

  const comes = (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      void bursts.begin('a').then((over) => {
        begun.push(name);
        overs.set(name, over);
      });
    }
    return jest.advanceTimersByTimeAsync(0).then(() => undefined);
  };

  beforeEach(async () => {
    bursts = new Bursts({ ...OPTIONS, patienceMs: 500 });
    begun = [];
    overs.clear();
    await comes('first');
    overs.get('first')?.();
    await jest.advanceTimersByTimeAsync(OPTIONS.aloneMs);
    await comes('second');
  });

  test('what comes meanwhile begins together when it is over', async () => {
    await comes('third', 'fourth');
    await jest.advanceTimersByTimeAsync(400);
    expect(begun).toEqual(['first', 'second']);
    overs.get('second')?.();
    await comes();
    expect(begun.slice(2)).toEqual(['third', 'fourth']);
    await comes('fifth');
    overs.get('third')?.();
    await jest.advanceTimersByTimeAsync(100);
    expect(begun.slice(4)).toEqual([]);
    overs.get('fourth')?.();
    await comes();
    expect(begun.slice(4)).toEqual(['fifth']);
  });

  test('what takes long is waited for only so long, and holds nothing up as it ends', async () => {
    await comes('third');
    await jest.advanceTimersByTimeAsync(50 + 499);
    expect(begun.slice(2)).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun.slice(2)).toEqual(['third']);
    await comes('fourth');
    overs.get('second')?.();
    await jest.advanceTimersByTimeAsync(49);
    expect(begun.slice(3)).toEqual([]);
    overs.get('third')?.();
    await jest.advanceTimersByTimeAsync(1);
    expect(begun.slice(3)).toEqual(['fourth']);
  });
});
