import { readFileSync } from 'node:fs';
import path from 'node:path';
import { providerKeyOf } from '../../../../src/rules/mail-provider';
import { declarationOf } from '../../../../src/platform/metrics/declare';
import { metrics } from '../../../../src/platform/metrics/metrics';
import { inFreshProcess } from '../../../support/checks/fresh-process';
import { shippedAlerts } from '../../../support/checks/promql';

const ROOT = path.resolve(__dirname, '../../../..');
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

/** The values of every metric in a process that has just begun, by name. */
const valuesAtStart = (): Promise<Readonly<Record<string, readonly number[]>>> =>
  inFreshProcess(
    `const { metrics } = require('./src/platform/metrics/metrics');
    const valuesOf = async (metric) => [metric.name, (await metric.get()).values.map(({ value }) => value)];
    return Object.fromEntries(await Promise.all(Object.values(metrics).map(valuesOf)));`,
  );

test('what an alert takes the increase of is there from the start, so that its first step is seen', async () => {
  const taken = new Set(shippedAlerts().flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)/g)].map(([, name]) => name ?? '')));
  const values = await valuesAtStart();
  expect(taken.size).toBeGreaterThan(0);
  for (const name of taken) {
    expect([name, values[name]?.every((value) => value === 0)]).toEqual([name, true]);
    expect(values[name]?.length).toBeGreaterThan(0);
  }
});

test('the catalogue has each of them', () => {
  const page = readFileSync(path.join(ROOT, 'docs/metrics.md'), 'utf8');
  const rows = [...page.matchAll(/^- `(\w+)` \((\w+)/gm)].map(([, name, type]) => `${name} ${type}`);
  expect(rows).toEqual(declared.map(({ name, type }) => `${name} ${type}`));
});

test.each([
  ['gmail.com', 'google'],
  ['googlemail.com', 'google'],
  ['hotmail.co.uk', 'outlook'],
  ['yahoo.fr', 'yahoo'],
  ['web.de', 'gmx'],
  ['gmail.attacker.example', null],
  ['mail.ru', 'mail_ru'],
  ['mail.com', null],
  ['comcast.net', null],
  ['example.com', null],
])('the provider of %s is %s', (domain, provider) => expect(providerKeyOf(domain)).toBe(provider));
