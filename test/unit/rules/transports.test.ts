import { transportsFor, transportsOfProject } from '../../../src/rules/transports';
import type { RoutedMail, TransportRoute } from '../../../src/rules/transports';

const mail = (change: Partial<RoutedMail> = {}): RoutedMail => ({ _id: 'em_1', projectId: 'prj_1', type: 'marketing', ...change });
const to = (transport: string, when: Partial<TransportRoute> = {}): TransportRoute => ({
  use: [{ transport, weight: 1 }],
  fallback: [],
  ...when,
});
const ids = Array.from({ length: 20_000 }, (_, n) => `em_${n.toString(36).padStart(12, '0')}`);

test.each<[string, Partial<TransportRoute>, RoutedMail, string | null, boolean]>([
  ['its project', { project: 'prj_1' }, mail(), null, true],
  ['another project', { project: 'prj_2' }, mail(), null, false],
  ['its type', { type: 'marketing' }, mail(), null, true],
  ['another type', { type: 'transactional' }, mail(), null, false],
  ['its topic', { topic: 'top_1' }, mail({ topic: { topicId: 'top_1' } }), null, true],
  ['a topic, without one', { topic: 'top_1' }, mail(), null, false],
  ['a tag', { tag: 'a:b' }, mail({ tags: ['c:d', 'a:b'] }), null, true],
  ['another tag', { tag: 'a:b' }, mail({ tags: ['c:d'] }), null, false],
  ['the provider', { provider: 'google' }, mail(), 'google', true],
  ['another provider', { provider: 'google' }, mail(), 'outlook', false],
  ['all that it names', { project: 'prj_1', type: 'marketing', provider: 'google' }, mail(), 'google', true],
  ['only a part of it', { project: 'prj_1', type: 'transactional' }, mail(), null, false],
])('a route for %s', (_, when, message, provider, isTaken) => {
  expect(transportsFor([to('a', when)], message, provider)).toEqual([isTaken ? 'a' : 'default']);
});

test('the first route that matches decides', () => {
  expect(transportsFor([to('a', { type: 'transactional' }), to('b'), to('c')], mail(), null)).toEqual(['b']);
});

test('weights share the mail, and a message has the same order each time, with fallbacks behind', () => {
  const routes = [{ use: ['a', 'b', 'c'].map((transport, at) => ({ transport, weight: [1, 3, 6][at] ?? 1 })), fallback: ['d', 'a'] }];
  const orders = ids.map((_id) => transportsFor(routes, mail({ _id }), null));
  expect(ids.map((_id) => transportsFor(routes, mail({ _id }), null))).toEqual(orders);
  expect(new Set(orders.map((order) => `${order.length} ${order.at(-1)}`))).toEqual(new Set(['4 d']));
  const first = new Map(['a', 'b', 'c'].map((name) => [name, orders.filter(([one]) => one === name).length]));
  for (const [name, part] of [
    ['a', 0.1],
    ['b', 0.3],
    ['c', 0.6],
  ] as const)
    expect(Math.abs((first.get(name) ?? 0) / ids.length - part)).toBeLessThan(0.015);
});

test('a transport that is added takes its part, and moves no other mail', () => {
  const use = ['a', 'b'].map((transport) => ({ transport, weight: 1 }));
  const moved = ids.filter((_id) => {
    const [before] = transportsFor([{ use, fallback: [] }], mail({ _id }), null);
    const [after] = transportsFor([{ use: [...use, { transport: 'c', weight: 1 }], fallback: [] }], mail({ _id }), null);
    return before !== after && after !== 'c';
  });
  expect(moved).toEqual([]);
});

test.each<[string, readonly TransportRoute[], readonly string[]]>([
  ['no route', [], ['default']],
  ['routes of other projects', [to('theirs', { project: 'prj_2' })], ['default']],
  ['conditions', [to('news', { type: 'marketing', fallback: ['spare'] })], ['news', 'spare', 'default']],
  ['a route for all mail of the project', [to('own', { project: 'prj_1' }), to('other')], ['own']],
  ['a route for all mail', [to('news', { type: 'marketing' }), to('all'), to('unreached')], ['news', 'all']],
])('a project may take the transports that its mail comes to: %s', (_name, routes, names) => {
  expect([...transportsOfProject(routes, 'prj_1')]).toEqual(names);
});
