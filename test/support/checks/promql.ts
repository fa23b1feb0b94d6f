import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

const DEPLOY = path.resolve(__dirname, '../../../deploy');

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** The alerts as they are shipped. */
export function shippedAlerts(): readonly Alert[] {
  const { groups } = parse(readFileSync(path.join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Expectation of an alert at a moment of its test. */
interface AlertTest {
  readonly alertname: string;
  readonly exp_alerts: readonly { readonly exp_labels: Readonly<Record<string, string>> }[];
}

/** Returns what the tests of the alerts, which Prometheus' own engine runs, expect of each. */
export function alertTests(): readonly AlertTest[] {
  const { tests } = parse(readFileSync(path.join(DEPLOY, 'prometheus/alerts.test.yml'), 'utf8')) as {
    tests: { alert_rule_test: AlertTest[] }[];
  };
  return tests.flatMap(({ alert_rule_test: expected }) => expected);
}

/** The dashboards as they are shipped. */
export function shippedDashboards(): readonly Dashboard[] {
  const folder = path.join(DEPLOY, 'grafana');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Dashboard);
}

/** Returns every shipped expression, with its origin. */
export const shippedExpressions = (): readonly { readonly where: string; readonly expr: string }[] => [
  ...shippedAlerts().map(({ alert, expr }) => ({ where: alert, expr })),
  ...shippedDashboards().flatMap(({ title, panels }) =>
    panels.flatMap((panel) => panel.targets.map(({ expr }) => ({ where: `${title}: ${panel.title}`, expr }))),
  ),
];

export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** Every node of an expression, with what its name is and what is written there. Throws where it is no PromQL. */
function nodesOf(expr: string): readonly { readonly name: string; readonly node: SyntaxNode; readonly text: string }[] {
  const nodes: { name: string; node: SyntaxNode; text: string }[] = [];
  parser.parse(expr).iterate({
    enter: ({ node, type, from, to }) => {
      if (type.isError) throw new Error(`No PromQL from character ${from} on: ${expr}`);
      nodes.push({ name: type.name, node, text: expr.slice(from, to) });
    },
  });
  return nodes;
}

/** Returns the selectors of a PromQL expression: metrics with the labels that it matches. Throws where Prometheus could not read it. */
export function selectorsIn(expr: string): readonly Selector[] {
  const textOf = (node: SyntaxNode | null): string => (node ? expr.slice(node.from, node.to) : '');
  return nodesOf(expr)
    .filter(({ name }) => name === 'VectorSelector')
    .map(({ node }) => ({
      metric: textOf(node.getChild('Identifier')),
      labels: (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) =>
        textOf(matcher.getChild('LabelName')),
      ),
    }));
}

/** The labels that it groups by. */
export const groupedBy = (expr: string): readonly string[] =>
  nodesOf(expr)
    .filter(({ name, node }) => name === 'LabelName' && node.parent?.name === 'GroupingLabels')
    .map(({ text }) => text);

/** The metric that a series belongs to: a histogram's has three. */
export const metricOf = (series: string): string => series.replace(/_(bucket|count|sum)$/, '');

/** Returns whether a metric comes from another exporter, or from Prometheus itself, and so is in no scrape of ours. */
export const ofExporters = (metric: string): boolean => !/^(lettermill|nodejs|process|temporal)_/.test(metric);
