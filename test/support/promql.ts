import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const DEPLOY = path.resolve(__dirname, '../../deploy');

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

/** The dashboards as they are shipped. */
export function shippedDashboards(): readonly Dashboard[] {
  const folder = path.join(DEPLOY, 'grafana');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Dashboard);
}

/** Every expression that is shipped, with where it stands. */
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

const OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'bool']);

/** What a PromQL expression selects: metrics with the labels that it matches. Throws where brackets do not fit. */
export function selectorsIn(expr: string): readonly Selector[] {
  const plain = expr.replaceAll(/"[^"]*"/g, '""');
  for (const [open, close] of ['()', '{}', '[]']) {
    const [opened, closed] = [open, close].map((sign) => plain.split(sign ?? '').length);
    if (opened !== closed) throw new Error(`Brackets do not fit: ${expr}`);
  }
  const bare = plain.replaceAll(/\b(by|on|without|ignoring)\s*\([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/([a-zA-Z_:][\w:]*)\s*(\(|\{([^}]*)\})?/g)].flatMap(([, name = '', next, matchers = '']) => {
    if (next === '(' || OPERATORS.has(name)) return [];
    return [{ metric: name, labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label) }];
  });
}

/** The labels that it groups by. */
export const groupedBy = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));

/** The metric that a series belongs to: a histogram's has three. */
export const metricOf = (series: string): string => series.replace(/_(bucket|count|sum)$/, '');
