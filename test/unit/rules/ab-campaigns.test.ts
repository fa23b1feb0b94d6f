import fc from 'fast-check';
import { campaignEmailId, orderKeyOf, recipientIdOf } from '../../../src/marketing/campaigns/walk';
import type { RecipientRange } from '../../../src/contracts/campaign';
import { addressId, newId } from '../../../src/platform/core/ids';
import { sampleSize, variantAt, winnerOf } from '../../../src/rules/ab-test';
import { pageCount, pageRange, pageRowsFor, hashOf, hashText, nextDue, paceOf } from '../../../src/rules/campaign-ranges';

/** Numbers that look random and are the same in each run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

describe('the random order of an audience', () => {
  test('spreads contacts evenly over the space', () => {
    const buckets = Array.from({ length: 64 }, () => 0);
    for (let index = 0; index < 64_000; index++) {
      const bucket = hashOf('cmp_1', `ctc_${index}`) >>> 26;
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    // 1,000 expected in each; five standard deviations are 158.
    expect(Math.min(...buckets)).toBeGreaterThan(842);
    expect(Math.max(...buckets)).toBeLessThan(1_158);
  });

  test('is another one in each campaign', () => {
    const contacts = Array.from({ length: 200 }, (_, index) => `ctc_${index}`);
    const order = (campaignId: string): string[] => [...contacts].sort((a, b) => hashOf(campaignId, a) - hashOf(campaignId, b));
    const [first, second] = [order('cmp_1'), order('cmp_2')];
    expect(first.filter((contact, index) => second[index] === contact).length).toBeLessThan(10);
    expect(order('cmp_1')).toEqual(first);
  });

  test('is the order of the recipients’ ids', () => {
    const id = recipientIdOf('cmp_1', 'ctc_9');
    expect(id).toBe(`cmp_1/${hashText(hashOf('cmp_1', 'ctc_9'))}ctc_9`);
    expect(orderKeyOf('cmp_1', id)).toMatch(/^[0-9a-f]{8}ctc_9$/);
  });
});

const holding =
  (place: string) =>
  ({ from, to }: RecipientRange): boolean =>
    place >= from && (to === null || place < to);

describe('pages', () => {
  test.each([
    [0, 1],
    [1, 1],
    [199, 1],
    [200, 2],
    [1_000, 10],
    [12_000, 12],
    [12_001, 13],
    [1_000_000, 1_000],
  ])('%i recipients are %i', (rows, count) => expect(pageCount(rows, 1_000)).toBe(count));

  test.each([
    [50_000, 1, 1_920],
    [24_000, 8, 375],
    [1_000, 8, 250],
    [1_000_000, 8, 1_920],
  ])('of %i recipients that %i workers share a page has %i', (rows, workers, most) => expect(pageRowsFor(rows, workers)).toBe(most));

  test('pages meet without gap or overlap, for any range', () => {
    const place = fc.integer({ min: 0, max: 0xffff_ffff }).map((value) => `${hashText(value)}ctc_x`);
    fc.assert(
      fc.property(fc.option(place), fc.option(place), fc.integer({ min: 1, max: 40 }), place, (low, high, count, someone) => {
        const from = low ?? '';
        const to = high !== null && high > from ? high : null;
        const pages = Array.from({ length: count }, (_, index) => pageRange({ from, to }, index, count));
        expect([pages[0]?.from, pages.at(-1)?.to]).toEqual([from, to]);
        for (const [index, page] of pages.slice(1).entries()) expect(page.from).toBe(pages[index]?.to);
        expect(pages.filter(holding(someone))).toHaveLength([{ from, to }].filter(holding(someone)).length);
      }),
    );
  });

  test('have about as many recipients each', () => {
    const places = Array.from({ length: 50_000 }, (_, index) => `${hashText(hashOf('cmp_7', `ctc_${index}`))}ctc_${index}`);
    const counts = Array.from({ length: 50 }, (_, index) => {
      const { from, to } = pageRange({ from: '', to: null }, index, 50);
      return places.filter((place) => place >= from && (to === null || place < to)).length;
    });
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50_000);
    expect(Math.max(...counts)).toBeLessThan(1_160);
  });
});

describe('the sample', () => {
  test.each([
    [0, 20, 0],
    [1, 20, 1],
    [2, 1, 2],
    [3, 20, 2],
    [10, 20, 2],
    [100, 20, 20],
    [101, 50, 51],
    [300, 33, 99],
    [5, 100, 5],
    [1_000_000, 1, 10_000],
  ])('of %i at %i %% is %i', (total, percent, size) => expect(sampleSize(total, percent)).toBe(size));

  test('is split evenly, in the random order of the audience', () => {
    const variants = Array.from({ length: 101 }, (_, index) => variantAt(index));
    expect([variants.filter((variant) => variant === 'a').length, variants.filter((variant) => variant === 'b').length]).toEqual([51, 50]);
    // Early contacts are not the ones who get A: who gets it hangs on the campaign.
    const order = (campaignId: string): string[] =>
      Array.from({ length: 1_000 }, (_, index) => `ctc_${index}`).sort((x, y) => hashOf(campaignId, x) - hashOf(campaignId, y));
    const a = order('cmp_3')
      .slice(0, 200)
      .filter((_, index) => variantAt(index) === 'a');
    expect(a.filter((contact) => Number(contact.slice(4)) < 500).length).toBeGreaterThan(30);
    expect(a.filter((contact) => Number(contact.slice(4)) < 500).length).toBeLessThan(70);
  });
});

describe('the winner', () => {
  const result = (sent: number, opened: number, clicked = 0) => ({ sent, opened, clicked });

  test.each([
    ['more opens of as many', result(10, 3), result(10, 4), 'b'],
    ['a higher rate, not more opens', result(10, 4), result(100, 20), 'a'],
    ['equal rates of unequal groups, more clicks', result(3, 1, 0), result(6, 2, 1), 'b'],
    ['equal rates, clicks equal', result(10, 3, 1), result(10, 3, 1), 'a'],
    ['no one did anything', result(5, 0), result(5, 0), 'a'],
    ['no one was sent B', result(1, 0), result(0, 0), 'a'],
    ['more clicks do not outweigh opens', result(10, 4, 0), result(10, 3, 3), 'a'],
  ])('%s', (_name, a, b, winner) => expect(winnerOf(a, b)).toBe(winner));

  test('is A as often as B where people like both alike', () => {
    const random = randoms(7);
    const opens = (): number => Array.from({ length: 100 }, () => random()).filter((chance) => chance < 0.3).length;
    const decided = Array.from({ length: 1_000 }, () => [opens(), opens()] as const).filter(([a, b]) => a !== b);
    const a = decided.filter(([openedA, openedB]) => winnerOf(result(100, openedA), result(100, openedB)) === 'a').length;
    // Four standard deviations of a fair coin.
    expect(Math.abs(a - decided.length / 2)).toBeLessThan(2 * Math.sqrt(decided.length));
  });
});

describe('the throttle', () => {
  test.each([
    [1, 1, 60_000],
    [6, 1, 10_000],
    [60, 1, 1_000],
    [90, 2, 1_334],
    [600, 10, 1_000],
    [1_000_000, 5_000, 300],
  ])('%i a minute is %i each %i ms', (perMinute, rows, everyMs) => expect(paceOf(perMinute)).toEqual({ rows, everyMs }));

  test('never lets more through in a minute than it says, and nearly as many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (perMinute) => {
        const { rows, everyMs } = paceOf(perMinute);
        const inMinute = (rows * 60_000) / everyMs;
        expect(inMinute).toBeLessThanOrEqual(perMinute);
        expect(inMinute).toBeGreaterThan(perMinute * 0.99);
      }),
    );
  });

  test('does not catch up on lateness with a burst', () => {
    const pace = paceOf(60);
    expect(nextDue(1_000, 1_000, pace)).toBe(2_000);
    expect(nextDue(1_000, 9_000, pace)).toBe(10_000);
    expect(nextDue(9_000, 1_000, pace)).toBe(10_000);
  });
});

test('a recipient’s message has one id, made of the start and the recipient', () => {
  const startedAt = new Date('2026-11-21T09:30:00.000Z');
  const idFor = (email: string): string => campaignEmailId(startedAt, 'cmp_01h2xcejqtf2nbrexx3vqjhp41', addressId('ctc', 'salt', email));
  const id = idFor('ada@example.com');
  expect(id).toMatch(/^em_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(idFor('ada@example.com')).toBe(id);
  expect(idFor('bob@example.com')).not.toBe(id);
  expect(id.slice(0, 13)).toBe(newId('em', startedAt.getTime()).slice(0, 13));
});
