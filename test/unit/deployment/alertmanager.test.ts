import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { alertTests, shippedAlerts } from '../../support/checks/promql';

interface Inhibition {
  readonly source_matchers: readonly string[];
  readonly target_matchers: readonly string[];
  readonly equal: readonly string[];
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

const alerts = shippedAlerts();
const file = path.resolve(__dirname, '../../../deploy/prometheus/alertmanager.yml');
const { route, inhibit_rules: inhibitions, receivers } = parse(readFileSync(file, 'utf8')) as Alertmanager;

const MATCHER = /^(\w+)(=|!=|=~|!~)"([^"]*)"$/;

/** As Alertmanager does: a label that an alert does not have is empty, and an expression has to match the whole. */
function matches(matchers: readonly string[], labels: Labels): boolean {
  return matchers.every((matcher) => {
    const [, label = '', operator = '', value = ''] = MATCHER.exec(matcher) ?? [];
    const has = labels[label] ?? '';
    const isMatch = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(has) : has === value;
    return isMatch !== operator.startsWith('!');
  });
}

const inhibits = (source: Labels, target: Labels): boolean =>
  inhibitions.some(
    ({ source_matchers: ofSource, target_matchers: ofTarget, equal }) =>
      matches(ofSource, source) && matches(ofTarget, target) && equal.every((label) => (source[label] ?? '') === (target[label] ?? '')),
  );

/** A firing alert as `Name label=value …`. */
function labelsOf(text: string): Labels {
  const [name, ...labels] = text.split(/ (?=\w+=)/);
  const alert = alerts.find((each) => each.alert === `Lettermill${name}`);
  if (!alert) throw new Error(`There is no alert ${name}`);
  return { alertname: alert.alert, severity: alert.labels.severity, ...Object.fromEntries(labels.map((label) => label.split('='))) };
}

const namedLabels = (alert: string, labels: readonly string[]): readonly string[] => labels.map((label) => `${alert} ${label}`);

/** Returns the firing alerts that send a notification: those that no other one inhibits. */
const notified = (...firing: readonly string[]): readonly string[] =>
  firing.filter((target) => !firing.some((source) => inhibits(labelsOf(source), labelsOf(target))));

test('sends each severity to a receiver that there is', () => {
  expect(route.routes.map(({ matchers, receiver }) => [matchers, receiver])).toEqual([[['severity="page"'], 'pager']]);
  expect(receivers.map(({ name }) => name).sort()).toEqual(['pager', route.receiver].sort());
});

test('names only alerts that there are, in matchers that it can read, and never of another installation', () => {
  const names = alerts.map(({ alert }) => alert);
  const named = [...readFileSync(file, 'utf8').matchAll(/alertname=~?"Lettermill(?:(\w+)|\(([\w|]+)\))"/g)];
  expect(named).toHaveLength(2 * inhibitions.length);
  for (const [, one, group = one ?? ''] of named)
    expect(names).toEqual(expect.arrayContaining(group.split('|').map((name) => `Lettermill${name}`)));
  for (const { source_matchers: ofSource, target_matchers: ofTarget, equal } of inhibitions) {
    for (const matcher of [...ofSource, ...ofTarget]) expect(matcher).toMatch(MATCHER);
    expect(equal).toContain('namespace');
  }
});

test('looks for labels that its alerts have when they fire', () => {
  const seen = new Set(
    alertTests().flatMap(({ alertname, exp_alerts: fires }) =>
      fires.flatMap(({ exp_labels: has }) => namedLabels(alertname, Object.keys(has))),
    ),
  );
  const sides = inhibitions.flatMap(({ source_matchers: ofSource, target_matchers: ofTarget }) => [ofSource, ofTarget]);
  const wanted = sides.flatMap(([ofName = '', ...more]) => {
    const labels = more.map((matcher) => matcher.split(/[!=]/)[0] ?? '');
    return alerts.filter(({ alert }) => matches([ofName], { alertname: alert })).flatMap(({ alert }) => namedLabels(alert, labels));
  });
  expect(wanted.length).toBeGreaterThan(0);
  expect([...seen]).toEqual(expect.arrayContaining(wanted));
});

/** Every alert as it fires in its tests. */
const samples: readonly Labels[] = alertTests().flatMap(({ alertname, exp_alerts: fires }) =>
  fires.map(({ exp_labels: has }): Labels => ({ alertname, ...has })),
);

test('never leaves out all of what fires, nor anything for another installation', () => {
  for (const one of samples) {
    expect(inhibits(one, one)).toBe(false);
    for (const other of samples) {
      expect(inhibits(one, other) && inhibits(other, one)).toBe(false);
      expect(inhibits({ ...one, namespace: 'staging' }, { ...other, namespace: 'mail' })).toBe(false);
    }
  }
});

test.each([
  [
    'no process reaches MongoDB',
    ['MongoDown', 'QueueOld shard=3', 'LeaseLost instance=w-1', 'HttpErrors', 'MongoPool instance=a-1', 'BacklogUnknown', 'InboundPutOff'],
    ['MongoDown'],
  ],
  [
    'no process reaches Temporal',
    ['TemporalDown', 'QueueOld shard=3', 'DeliverySlow', 'OutboxLag', 'WebhookLag', 'FanOutLag', 'WorkerSlots instance=w-1'],
    ['TemporalDown'],
  ],
  [
    'all workers are gone',
    ['NoWorker part=worker', 'QueueWithoutWorker task_queue=delivery', 'ProcessLost part=worker', 'StandsStill what=events'],
    ['NoWorker part=worker'],
  ],
  ['all API processes are gone', ['NoApi part=api', 'HttpErrors', 'ProcessLost part=api'], ['NoApi part=api']],
  [
    'the last worker for pumps is gone',
    ['QueueWithoutWorker task_queue=pumps', 'QueueOld shard=3', 'FanOutLag', 'WebhookLag', 'StandsStill what=events'],
    ['QueueWithoutWorker task_queue=pumps'],
  ],
  [
    'the last worker for orchestration is gone',
    ['QueueWithoutWorker task_queue=orchestration', 'OutboxLag', 'StandsStill what=what Temporal is to be given', 'BacklogUnknown'],
    ['QueueWithoutWorker task_queue=orchestration'],
  ],
  ['events stand still', ['StandsStill what=events', 'FanOutLag'], ['StandsStill what=events']],
  [
    'a disk is full',
    ['DiskFull instance=h-1 mountpoint=/data', 'DiskFills instance=h-1 mountpoint=/data'],
    ['DiskFull instance=h-1 mountpoint=/data'],
  ],
  ['one process does not reach MongoDB', ['MongoDown instance=w-1', 'LeaseLost instance=w-1'], ['MongoDown instance=w-1']],
])('makes one of what fires when %s', (_, firing, left) => {
  expect(notified(...firing)).toEqual(left);
});

test.each([
  ['one process of several does not reach MongoDB', ['MongoDown instance=w-1', 'QueueOld shard=3', 'HttpErrors', 'LeaseLost instance=w-2']],
  ['one process of several does not reach Temporal', ['TemporalDown instance=w-1', 'QueueOld shard=3', 'StandsStill what=events']],
  ['one worker lost its lease', ['LeaseLost instance=w-1', 'QueueOld shard=3']],
  ['one transport of several is down', ['SmtpConnects transport=news', 'QueueOld shard=3']],
  ['no worker takes bulk', ['QueueWithoutWorker task_queue=bulk', 'QueueOld shard=3', 'WebhookLag', 'FanOutLag', 'OutboxLag']],
  ['no worker takes http', ['QueueWithoutWorker task_queue=http', 'QueueOld shard=3', 'DeliverySlow', 'StandsStill what=events']],
  ['no worker takes delivery', ['QueueWithoutWorker task_queue=delivery', 'WebhookLag', 'StandsStill what=events', 'HttpErrors']],
  ['webhooks stand still', ['StandsStill what=webhooks', 'FanOutLag', 'OutboxLag']],
  ['no API process is left', ['NoApi part=api', 'QueueOld shard=3', 'QueueWithoutWorker task_queue=bulk', 'ProcessLost part=worker']],
  ['one of two disks is full', ['DiskFull instance=h-1 mountpoint=/data', 'DiskFills instance=h-1 mountpoint=/var']],
  ['one of several workers was killed', ['ProcessLost part=worker', 'InDoubt cause=worker_lost']],
])('tells of everything that has another cause when %s', (_, firing) => {
  expect(notified(...firing)).toEqual(firing);
});
