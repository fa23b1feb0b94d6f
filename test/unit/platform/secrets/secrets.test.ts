import { loadConfig } from '../../../../src/platform/config/config';
import { SealedError, Secrets } from '../../../../src/platform/secrets';

const secret = (nth: number): string => `secret number ${nth} of this platform is long enough`;
const place = { collection: 'domains', id: 'dom_1', projectId: 'prj_a' } as const;

test('any number of old secrets open what they sealed and verify what they signed, until they are not listed', () => {
  const nine = Array.from({ length: 9 }, (_, nth) => secret(nth));
  const all = new Secrets(nine);
  for (const one of nine) {
    const alone = new Secrets([one]);
    const others = new Secrets(nine.filter((other) => other !== one));
    const sealed = alone.encrypt(place, 'kept');
    const signature = alone.sign('link', 'em_1');
    expect([all.decrypt(place, sealed), all.verify('link', 'em_1', signature)]).toEqual(['kept', true]);
    expect(() => others.decrypt(place, sealed)).toThrow(SealedError);
    expect(others.verify('link', 'em_1', signature)).toBe(false);
  }
});

test('a sealed text names its secret, which is found without trying others', () => {
  // Both have the name that signatures use for them.
  const [one, two] = ['old-secret-of-more-than-32-characters-1583', 'n'.repeat(40)];
  const sealed = new Secrets([one]).encrypt(place, 'kept');
  const [, data] = sealed.split('.');
  const [otherId] = new Secrets([two]).encrypt(place, 'x').split('.');
  const nameOf = (secret: string) => new Secrets([secret]).sign('link', 'em_1').slice(0, 2);
  expect([nameOf(one) === nameOf(two), sealed.startsWith(otherId ?? '')]).toEqual([true, false]);
  const both = new Secrets([two, one]);
  expect(both.decrypt(place, sealed)).toBe('kept');
  expect(() => both.decrypt(place, [otherId, data].join('.'))).toThrow(SealedError);
});

test.each([
  ['cut', (text: string) => text.slice(0, -20)],
  ['empty', () => ''],
  ['altered', (text: string) => text.replace(/\.(.)/, (_, first: string) => (first === 'A' ? '.B' : '.A'))],
])('a text that was %s is refused by name of its place', (_name, alter) => {
  const secrets = new Secrets([secret(1)]);
  expect(() => secrets.decrypt(place, alter(secrets.encrypt(place, 'kept')))).toThrow('No APP_SECRET opens this text of domains/dom_1');
});

test('a text is sealed again unless the newest secret sealed it', () => {
  const [before, now] = [new Secrets([secret(1)]), new Secrets([secret(2), secret(1)])];
  const sealed = before.encrypt(place, 'kept');
  const resealed = now.reseal(place, sealed) ?? '';
  expect(new Secrets([secret(2)]).decrypt(place, resealed)).toBe('kept');
  expect(now.reseal(place, resealed)).toBeNull();
});

test.each([
  [[secret(1), secret(2), secret(1)], 'the same secret is listed twice'],
  [[secret(1), 'short'], 'each secret needs at least 32 characters'],
  [[secret(1), ''], 'each secret needs at least 32 characters'],
])('a list with a fault stops the start, and is not shown', (list, fault) => {
  const load = () => loadConfig({ APP_SECRET: list.join(',') });
  expect(load).toThrow(fault);
  expect(load).toThrow(/APP_SECRET/);
  expect(load).not.toThrow(/secret number/);
});

test('a list of seven is taken', () => {
  const seven = Array.from({ length: 7 }, (_, nth) => secret(nth));
  expect(loadConfig({ APP_SECRET: seven.join(',') }).APP_SECRET).toEqual(seven);
});
