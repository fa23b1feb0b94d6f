import { readFileSync } from 'node:fs';
import path from 'node:path';
import { providerOf } from '../../../../src/sending/deliver/counted';
import { declarationOf } from '../../../../src/platform/metrics/declare';
import { metrics } from '../../../../src/platform/metrics/metrics';

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
