import { readFileSync } from 'node:fs';
import path from 'node:path';
import { providerOf } from '../../../../src/sending/deliver/outcome';
import { declarationOf } from '../../../../src/platform/metrics/declare';
import { metrics } from '../../../../src/platform/metrics/metrics';
import { shippedAlerts } from '../../../support/checks/promql';

const declared = Object.values(metrics).map(declarationOf);

test('names follow the rules of Prometheus, and none is there twice', () => {
  for (const { name, type } of declared) {
    expect(name).toMatch(/^lettermill_[a-z][a-z_]*$/);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
  }
  expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
});

test('no label could have a value for each customer or recipient', () => {
  const labels = new Set(declared.flatMap(({ labels: names }) => names));
  expect([...labels].filter((label) => /project|contact|email|address|domain|id$|url|host/.test(label))).toEqual([]);
});

test('what an alert takes the increase of is there from the start, so that its first step is seen', async () => {
  const taken = shippedAlerts().flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)/g)].map(([, name]) => name));
  const counters = Object.values(metrics).filter((metric) => taken.includes(declarationOf(metric).name));
  expect(counters).toHaveLength(new Set(taken).size);
  for (const counter of counters) {
    const series = (await counter.get()).values;
    expect([declarationOf(counter).name, series.map(({ value }) => value)]).toEqual([expect.any(String), series.map(() => 0)]);
    expect(series.length).toBeGreaterThan(0);
  }
});

test('the catalogue has each of them', () => {
  const page = readFileSync(path.resolve(__dirname, '../../../../docs/metrics.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (\w+)/gm)].map(([, name, type]) => `${name} ${type}`);
  expect(rows).toEqual(declared.map(({ name, type }) => `${name} ${type}`));
});

test.each([
  ['ada@gmail.com', 'gmail'],
  ['ada@googlemail.com', 'gmail'],
  ['ada@hotmail.co.uk', 'outlook'],
  ['ada@yahoo.fr', 'yahoo'],
  ['ada@web.de', 'gmx'],
  ['ada@gmail.attacker.example', 'other'],
  ['ada@comcast.net', 'other'],
  ['ada@example.com', 'other'],
])('the provider of %s is %s', (address, provider) => expect(providerOf(address)).toBe(provider));
