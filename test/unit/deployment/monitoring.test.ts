import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { declarationOf } from '../../../src/platform/metrics/declare';
import { metrics } from '../../../src/platform/metrics/metrics';
import { scratchDir } from '../../support/run/test-run';
import {
  alertTests,
  groupedBy,
  metricOf,
  selectorsIn,
  shippedAlerts,
  shippedDashboards,
  shippedExpressions,
} from '../../support/checks/promql';

const declared = new Map(
  Object.values(metrics)
    .map(declarationOf)
    .map((declaration) => [declaration.name, declaration]),
);
const OF_EVERY_SERIES = ['instance', 'job', 'le', 'namespace'];
const alerts = shippedAlerts();

test('each alert has a name of its own, a severity, a time and a summary', () => {
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  for (const { alert, labels, annotations, for: lasting } of alerts) {
    expect(alert).toMatch(/^Lettermill[A-Z][A-Za-z]+$/);
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(lasting).toMatch(/^\d+m$/);
    expect(annotations.summary).not.toBe('');
  }
});

test('the runbook has a section for each alert, and for no other', () => {
  const page = readFileSync(path.resolve(__dirname, '../../../docs/runbook.md'), 'utf8');
  const sections = [...page.matchAll(/^### (\w+)\n\n(.+)$/gm)];
  expect(sections.map(([, name]) => name)).toEqual(alerts.map(({ alert }) => alert));
  for (const [, name, text = ''] of sections) expect([name, text.length > 80]).toEqual([name, true]);
  expect(alerts.map(({ annotations }) => annotations.runbook)).toEqual(alerts.map(({ alert }) => `docs/runbook.md#${alert.toLowerCase()}`));
});

test.each(alerts.map(({ alert, expr }) => [alert, expr]))(
  '%s says of every metric whose it is, in words that the chart replaces',
  (_, expr) => {
    for (const { labels } of selectorsIn(expr)) expect(labels.at(-1)).toMatch(/^(exported_)?namespace$/);
    expect(expr.split('namespace=~".*"')).toHaveLength(selectorsIn(expr).length + 1);
  },
);

test('every alert has a test in which it fires', () => {
  const firing = new Set(alertTests().flatMap(({ alertname, exp_alerts: fires }) => (fires.length > 0 ? [alertname] : [])));
  expect(alerts.filter(({ alert }) => !firing.has(alert))).toEqual([]);
});

test('dashboards have panels with titles, and names of their own', () => {
  const boards = shippedDashboards();
  expect(boards.map(({ uid }) => uid).sort()).toEqual(['lettermill-mail', 'lettermill-processes']);
  for (const { panels } of boards) {
    expect(panels.length).toBeGreaterThan(10);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, targets } of panels) expect([title.length > 0, targets.length > 0]).toEqual([true, true]);
  }
});

test.each(shippedExpressions().map(({ where, expr }) => [where, expr]))(
  '%s selects metrics of ours by labels that they have',
  (_, expr) => {
    const selectors = selectorsIn(expr);
    expect(selectors.length).toBeGreaterThan(0);
    const ours = selectors.filter(({ metric }) => metric.startsWith('lettermill_'));
    for (const { metric, labels } of ours) {
      const declaration = declared.get(metricOf(metric)) ?? declared.get(metric);
      const wanted = metric === metricOf(metric) ? /^(counter|gauge)$/ : /^histogram$/;
      expect([metric, declaration?.type]).toEqual([metric, expect.stringMatching(wanted)]);
      expect([...OF_EVERY_SERIES, ...(declaration?.labels ?? [])]).toEqual(expect.arrayContaining([...labels]));
    }
    if (ours.length < selectors.length) return;
    const known = [...OF_EVERY_SERIES, ...ours.flatMap(({ metric }) => declared.get(metricOf(metric))?.labels ?? [])];
    expect(known).toEqual(expect.arrayContaining([...groupedBy(expr)]));
  },
);

test('the reader of expressions finds metrics, and no functions, labels or operators', () => {
  const expr = 'sum by (a, b) (rate(x_total{c="d{",e=~"f"}[5m])) / on (g) h > 0.5 and time() - max(i) > 3';
  expect(selectorsIn(expr)).toEqual([
    { metric: 'x_total', labels: ['c', 'e'] },
    { metric: 'h', labels: [] },
    { metric: 'i', labels: [] },
  ]);
  expect(groupedBy(expr)).toEqual(['a', 'b', 'g']);
  for (const wrong of ['sum(x', 'x{a=b}', 'rate(x[5 minutes])', 'x >', 'sum(x)) by (a)'])
    expect(() => selectorsIn(wrong)).toThrow('No PromQL');
});

describe('the tests of the alerts', () => {
  const folder = path.resolve(__dirname, '../../../deploy/prometheus');
  const check = (...files: string[]): string =>
    execFileSync(process.execPath, [path.join(folder, 'check/run.mjs'), ...files], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  // It takes a tool that Go builds, once.
  test('pass', () => {
    expect(check()).toBe('');
  }, 600_000);

  test('fail where an alert does something else', () => {
    const [first] = parse(readFileSync(path.join(folder, 'alerts.test.yml'), 'utf8')).tests as [{ alert_rule_test: object[] }];
    const [quiet, fires] = first.alert_rule_test;
    const wrong = { ...first, alert_rule_test: [quiet, { ...fires, exp_alerts: [] }] };
    const file = path.join(scratchDir('alerts'), 'wrong.test.yml');
    writeFileSync(file, stringify({ rule_files: [path.join(folder, 'alerts.yml')], evaluation_interval: '1m', tests: [wrong] }));
    expect(() => check(file)).toThrow('LettermillQueueWithoutWorker after 15m, expected:');
  });
});
