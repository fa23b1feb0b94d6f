import { clientAddress } from '../../../../src/platform/addresses';
import { nextRetryAt, nextDirectTry } from '../../../../src/records/fan-out/lines';
import { bucketCount, bucketStarts } from '../../../../src/rules/time-buckets';

describe('the client of a request', () => {
  test.each<[string | undefined, string | undefined, number, string]>([
    ['192.0.2.1', undefined, 0, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.1', 0, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.1', 1, '203.0.113.1'],
    ['192.0.2.1', '1.1.1.1, 203.0.113.1', 1, '203.0.113.1'],
    ['192.0.2.1', '1.1.1.1, 203.0.113.1, 10.0.0.1', 2, '203.0.113.1'],
    ['192.0.2.1', '203.0.113.1', 3, '203.0.113.1'],
    ['192.0.2.1', '', 1, '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', undefined, 0, '2001:db8:1:2::/64'],
    ['2001:DB8::1', undefined, 0, '2001:db8:0:0::/64'],
    ['fe80::1%eth0', undefined, 0, 'fe80:0:0:0::/64'],
    ['::1', undefined, 0, '0:0:0:0::/64'],
    [undefined, undefined, 0, ''],
    ['192.0.2.1', 'not an address', 1, 'not an address'],
  ])('socket %j, header %j, %i proxies: %s', (socket, header, proxies, client) => {
    expect(clientAddress(socket, header, proxies)).toBe(client);
  });
});

describe('patience with events that are not taken', () => {
  test('four more tries in place, then the event steps aside', () => {
    expect([1, 2, 3, 4, 5].map(nextDirectTry)).toEqual([50, 200, 1_000, 3_000, null]);
  });

  test('rounds from ten seconds to an hour, for a day', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    const waits = [1, 2, 3, 9, 10, 100].map((times) => (nextRetryAt(times, now, now)?.getTime() ?? 0) - now.getTime());
    expect(waits).toEqual([10_000, 20_000, 40_000, 2_560_000, 3_600_000, 3_600_000]);
    const dayLater = new Date(now.getTime() + 23.5 * 3_600_000);
    expect(nextRetryAt(30, now, dayLater)).toBeNull();
    expect(nextRetryAt(1, now, dayLater)).not.toBeNull();
  });
});

describe('buckets', () => {
  const at = (text: string): Date => new Date(text);

  test('begin with the UTC hour or day, the first and the last one whole', () => {
    expect(bucketStarts(at('2026-01-31T23:59:59.999Z'), at('2026-02-02T00:00:00.001Z'), 'day').map((start) => start.toISOString())).toEqual(
      ['2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'],
    );
    expect(bucketStarts(at('2026-01-01T10:30:00Z'), at('2026-01-01T12:00:00Z'), 'hour').map((start) => start.toISOString())).toEqual([
      '2026-01-01T10:00:00.000Z',
      '2026-01-01T11:00:00.000Z',
    ]);
  });

  test('are none when the end is not after the beginning', () => {
    expect(bucketCount(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z'), 'day')).toBe(0);
    expect(bucketCount(at('2026-01-03T00:00:00Z'), at('2026-01-01T00:00:00Z'), 'day')).toBe(0);
  });

  test('hold before 1970 too', () => {
    expect(bucketStarts(at('1969-12-31T23:30:00Z'), at('1970-01-01T00:30:00Z'), 'hour').map((start) => start.toISOString())).toEqual([
      '1969-12-31T23:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
    ]);
  });
});
