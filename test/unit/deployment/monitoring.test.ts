import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { declarationOf } from '../../../src/platform/metrics/declare';
import { metrics } from '../../../src/platform/metrics/metrics';
import { scratchDir } from '../../support/run/test-run';
import { groupedBy, metricOf, selectorsIn, shippedAlerts, shippedDashboards, shippedExpressions } from '../../support/checks/promql';

const declared = new Map(
  Object.values(metrics)
    .map(declarationOf)
    .map((declaration) => [declaration.name, declaration]),
);
const OF_EVERY_SERIES = ['instance', 'job', 'le'];
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
      expect(declaration?.labels).toEqual(expect.arrayContaining([...labels]));
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
    const tests = readFileSync(path.join(folder, 'alerts.test.yml'), 'utf8');
    const file = path.join(scratchDir('alerts'), 'wrong.test.yml');
    writeFileSync(
      file,
      tests
        .replace('[alerts.yml]', `['${path.join(folder, 'alerts.yml')}']`)
        .replace("'1x9 0x10'", "'1x19'")
        .replace("'1x10 0x9'", "'1x19'"),
    );
    expect(() => check(file)).toThrow('LettermillQueueWithoutWorker after 15m, expected:');
  });
});

describe('the example of an Alertmanager', () => {
  interface Inhibition {
    readonly source_matchers: readonly string[];
    readonly target_matchers: readonly string[];
    readonly equal?: readonly string[];
  }
  interface Alertmanager {
    readonly route: {
      readonly receiver: string;
      readonly routes: readonly { readonly matchers: readonly string[]; readonly receiver: string }[];
    };
    readonly inhibit_rules: readonly Inhibition[];
    readonly receivers: readonly { readonly name: string }[];
  }
  type Labels = Readonly<Record<string, string>>;

  const file = path.resolve(__dirname, '../../../deploy/prometheus/alertmanager.yml');
  const { route, inhibit_rules: inhibitions, receivers } = parse(readFileSync(file, 'utf8')) as Alertmanager;

  const MATCHER = /^(\w+)(=~?)"([^"]*)"$/;

  function matches(matchers: readonly string[], labels: Labels): boolean {
    return matchers.every((matcher) => {
      const [, label = '', operator, value = ''] = MATCHER.exec(matcher) ?? [];
      return operator === '=~' ? new RegExp(`^(?:${value})$`).test(labels[label] ?? '') : labels[label] === value;
    });
  }

  /** What is left of alerts that fire, as `severity name`. */
  function told(...firing: readonly string[]): readonly string[] {
    const all: Labels[] = firing.map((name) => {
      const alert = alerts.find((each) => each.alert === `Lettermill${name}`);
      if (!alert) throw new Error(`There is no alert ${name}`);
      return { alertname: alert.alert, severity: alert.labels.severity };
    });
    const isInhibited = (target: Labels): boolean =>
      inhibitions.some((rule) => matches(rule.target_matchers, target) && all.some((source) => matches(rule.source_matchers, source)));
    return all
      .filter((each) => !isInhibited(each))
      .map(({ alertname = '', severity = '' }) => `${severity} ${alertname.slice('Lettermill'.length)}`);
  }

  test('sends each severity to a receiver that there is', () => {
    expect(route.routes.map(({ matchers, receiver }) => [matchers, receiver])).toEqual([[['severity="page"'], 'pager']]);
    expect(receivers.map(({ name }) => name).sort()).toEqual(['pager', route.receiver].sort());
  });

  test('names only alerts that there are, in matchers that it can read', () => {
    const names = alerts.map(({ alert }) => alert);
    for (const { source_matchers, target_matchers } of inhibitions) {
      for (const matcher of [...source_matchers, ...target_matchers]) expect(matcher).toMatch(MATCHER);
      const [, label, , value = ''] = MATCHER.exec(target_matchers[0] ?? '') ?? [];
      expect(label).toBe('alertname');
      const [, group] = /^Lettermill\((.+)\)$/.exec(value) ?? [];
      expect(names).toEqual(expect.arrayContaining(group?.split('|').map((name) => `Lettermill${name}`) ?? [value]));
      expect(names.some((name) => matches(source_matchers, { alertname: name }))).toBe(true);
    }
  });

  test('never leaves out all of what fires', () => {
    for (const { alert: one } of alerts) {
      expect(told(one.slice('Lettermill'.length))).toHaveLength(1);
      for (const { alert: other } of alerts) expect(told(...[one, other].map((name) => name.slice('Lettermill'.length)))).not.toEqual([]);
    }
  });

  test.each([
    [
      'MongoDB is down',
      ['MongoDown', 'QueueOld', 'LeaseLost', 'HttpErrors', 'MongoPool', 'BacklogUnknown', 'InboundPutOff'],
      ['page MongoDown'],
    ],
    ['Temporal is down', ['TemporalDown', 'QueueOld', 'DeliverySlow', 'OutboxLag', 'WebhookLag', 'FanOutLag'], ['page TemporalDown']],
    ['all workers are gone', ['NoWorker', 'QueueWithoutWorker', 'ProcessLost', 'ProcessGone', 'StandsStill'], ['page NoWorker']],
    [
      'the last worker for pumps is gone',
      ['QueueWithoutWorker', 'ProcessLost', 'QueueOld', 'FanOutLag', 'StandsStill'],
      ['page QueueWithoutWorker'],
    ],
    ['the smarthost is down', ['SmtpConnects', 'QueueOld', 'DeliverySlow'], ['page SmtpConnects']],
    ['all API processes are gone', ['NoApi', 'HttpErrors', 'ProcessGone'], ['page NoApi']],
    ['events stand still', ['StandsStill', 'FanOutLag'], ['page StandsStill']],
    ['one of several workers was killed', ['ProcessLost', 'InDoubt'], ['ticket ProcessLost', 'ticket InDoubt']],
  ])('makes one of what fires when %s', (_, firing, left) => {
    expect(told(...firing)).toEqual(left);
  });
});
