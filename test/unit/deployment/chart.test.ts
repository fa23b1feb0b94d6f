import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { describeConfig, loadServerConfig } from '../../../src/platform/config/config';
import { TASK_QUEUES } from '../../../src/contracts/task-queues';
import { metrics } from '../../../src/platform/metrics/metrics';
import { declarationOf } from '../../../src/platform/metrics/declare';
import { scratchDir } from '../../support/run/test-run';
import { selectorsIn } from '../../support/checks/promql';
import type { Alert } from '../../support/checks/promql';
import { API_FLAGS, WORKER_FLAGS } from '../../../src/platform/config/introduce';

const ROOT = path.resolve(__dirname, '../../..');
const CHART = path.join(ROOT, 'deploy/helm');

interface Container {
  readonly image: string;
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string }[];
  readonly securityContext: unknown;
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly livenessProbe?: { readonly httpGet: { readonly path: string } };
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly securityContext: unknown;
        readonly volumes: readonly { readonly secret?: { readonly secretName: string } }[];
      };
    };
    readonly metrics?: readonly {
      readonly resource?: { readonly name: string };
      readonly external?: { readonly metric: { readonly name: string } };
    }[];
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly endpoints?: readonly { readonly port: string }[];
    readonly groups?: readonly { readonly name: string; readonly rules: readonly Alert[] }[];
    readonly maxUnavailable?: number;
  };
}

describe('the chart', () => {
  const values = parse(readFileSync(path.join(CHART, 'values.yaml'), 'utf8')) as {
    readonly api: object;
    readonly smtp: object;
    readonly workers: Readonly<Record<string, object>>;
  };

  test('has a worker pool for each task queue, and room for what lasts as long as a message in the one that sends', () => {
    expect(Object.keys(values.workers).sort()).toEqual([...TASK_QUEUES].sort());
    expect(values.workers['delivery']).toMatchObject({ nodeFlags: [...WORKER_FLAGS] });
  });

  test('has room for what is made for a request in the API and the SMTP server', () => {
    expect([values.api, values.smtp]).toMatchObject([{ nodeFlags: [...API_FLAGS] }, { nodeFlags: [...API_FLAGS] }]);
  });

  test('is of the version of the platform', () => {
    const { version } = parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
    expect(parse(readFileSync(path.join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
  });
});

test("the guide's values file for Temporal's chart has the dynamic configuration of a new server", () => {
  const guide = readFileSync(path.join(ROOT, 'docs/operating.md'), 'utf8');
  const [, command = ''] = /^(\(printf .+\)) > temporal\.yaml$/m.exec(guide) ?? [];
  const written = parse(execFileSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' })) as object;
  const dynamicConfig = parse(readFileSync(path.join(ROOT, 'deploy/temporal-dynamic-config-new.yaml'), 'utf8')) as object;
  expect(Object.keys(dynamicConfig)).toContain('matching.enableFairness');
  expect(written).toEqual({ server: { dynamicConfig } });
});

/** Renders the chart with each of the checked values, or with the files that are named. */
function manifestsOf(files: readonly string[]): readonly Manifest[] {
  const words = [path.join(CHART, 'check/run.mjs'), ...files];
  const text = execFileSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 24, stdio: ['ignore', 'pipe', 'pipe'] });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** Renders the chart with the least that it takes, and some values more. */
function rendered(more: object): readonly Manifest[] {
  const least = parse(readFileSync(path.join(CHART, 'check/values/least.yaml'), 'utf8')) as object;
  const file = path.join(scratchDir('chart'), 'values.yaml');
  writeFileSync(file, stringify({ ...least, ...more }));
  return manifestsOf([file]);
}

/** Why the chart does not take some values. */
function refusal(more: object): string {
  try {
    rendered(more);
  } catch (error) {
    return String((error as { readonly stderr: unknown }).stderr);
  }
  return 'it takes them';
}

describe('the chart, rendered', () => {
  let manifests: readonly Manifest[];
  const ofKind = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  const containersOf = (found: readonly Manifest[]): readonly Container[] =>
    found.flatMap(({ spec }) => (spec?.template ? spec.template.spec.containers : []));

  // Rendering takes a tool that Go builds, once.
  beforeAll(() => {
    manifests = manifestsOf([]);
  }, 600_000);

  test('runs entry files that are there, with probes that they answer', () => {
    const parts = ofKind('Deployment');
    expect(parts).toHaveLength(readdirSync(path.join(CHART, 'check/values')).length * (2 + TASK_QUEUES.length));
    for (const { command, livenessProbe, readinessProbe } of containersOf(parts)) {
      const entry = command.find((word) => word.endsWith('.js')) ?? '';
      expect([entry, existsSync(path.join(ROOT, entry.replace(/\.js$/, '.ts')))]).toEqual([entry, true]);
      expect([livenessProbe?.httpGet.path, readinessProbe?.httpGet.path]).toEqual(['/livez', '/readyz']);
    }
  });

  test('gives no container root, a capability, or anything of its image to write to', () => {
    for (const { spec } of [...ofKind('Deployment'), ...ofKind('Job')]) {
      expect(spec?.template?.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(spec?.template?.spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  test('sets variables that the platform knows and accepts', () => {
    const known = describeConfig().map(({ name }) => name);
    const secret = { MONGODB_URI: 'mongodb://a/b?replicaSet=rs0', APP_SECRET: 'x'.repeat(32), SMTP_URL: 'smtp://a:25' };
    for (const { data = {} } of ofKind('ConfigMap')) {
      expect(known).toEqual(expect.arrayContaining(Object.keys(data)));
      expect(loadServerConfig({ ...data, ...secret })).toMatchObject({ NODE_ENV: 'production', METRICS_PORT: 9464 });
    }
    for (const { env = [] } of containersOf(ofKind('Deployment'))) for (const { name } of env) expect(known).toContain(name);
  });

  test('gives parts the time to be taken out of load balancers, and then to finish what they have', () => {
    for (const { spec } of ofKind('Deployment')) {
      const pod = spec?.template?.spec;
      const drain = Number(pod?.containers[0].env?.find(({ name }) => name === 'DRAIN_SECONDS')?.value ?? 0);
      expect(drain > 0).toBe(pod?.containers[0].ports.some(({ name }) => name !== 'operators'));
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(drain + 20);
    }
  });

  test('has STARTTLS with the certificate that is given, and with one of its own without', () => {
    const smtp = ofKind('Deployment').filter(({ metadata }) => metadata.name.endsWith('-smtp'));
    const offers = containersOf(smtp).map(({ env = [], volumeMounts }) => ({
      tls: Object.fromEntries(env.flatMap(({ name, value }) => (name.startsWith('INBOUND_TLS') ? [[name, value]] : []))),
      at: volumeMounts.map(({ mountPath }) => mountPath),
    }));
    expect(offers).toEqual([
      {
        tls: { INBOUND_TLS_CERT: '/etc/lettermill/smtp/tls.crt', INBOUND_TLS_KEY: '/etc/lettermill/smtp/tls.key' },
        at: ['/tmp', '/etc/lettermill/smtp', '/etc/lettermill/temporal'],
      },
      { tls: { INBOUND_TLS_SELF_SIGNED: 'true' }, at: ['/tmp'] },
    ]);
    expect(smtp.map(({ spec }) => spec?.template?.spec.volumes.flatMap(({ secret }) => secret?.secretName ?? []))).toEqual([
      ['mx-example-com', 'temporal-client'],
      [],
    ]);
  });

  test('grows by processor time in every pool, without an adapter; and the pool that sends by nothing else', () => {
    const grownBy = ofKind('HorizontalPodAutoscaler').map(({ metadata, spec }) => ({ name: metadata.name, by: spec?.metrics ?? [] }));
    for (const { by } of grownBy) expect(by[0]?.resource?.name).toBe('cpu');
    for (const { by } of grownBy.filter(({ name }) => name.endsWith('-delivery'))) expect(by).toHaveLength(1);
    expect(refusal({ workers: { delivery: { autoscaling: { metric: 'lettermill_queue_oldest_due_seconds', seconds: 15 } } } })).toContain(
      'more workers would only knock harder',
    );
  });

  test('has every pod scraped by a Prometheus operator where that is asked for, and lets it in', () => {
    const [monitor, ...more] = ofKind('ServiceMonitor');
    expect(more).toEqual([]);
    const service = ofKind('Service').find(({ metadata }) => metadata.name === 'lettermill-operators');
    expect(service?.metadata.labels).toMatchObject((monitor?.spec?.selector as { matchLabels: object }).matchLabels);
    expect(monitor?.metadata.labels).toMatchObject({ release: 'kube-prometheus-stack' });
    for (const { metadata } of ofKind('Deployment')) expect(metadata.labels).toMatchObject(service?.spec?.selector ?? { none: true });
    expect(refusal({ metrics: { serviceMonitor: { enabled: true } } })).toContain('name your Prometheus in networkPolicy.operators');
  });

  describe('the alerts', () => {
    const ALERTS = path.join(ROOT, 'deploy/prometheus');
    const groupsOf = (from: readonly Manifest[]) => from.find(({ kind }) => kind === 'PrometheusRule')?.spec?.groups ?? [];

    test('are those that are shipped, without those of a part that is not run', () => {
      const shipped = parse(readFileSync(path.join(ALERTS, 'alerts.yml'), 'utf8')) as { readonly groups: readonly { name: string }[] };
      const unscoped = JSON.stringify(groupsOf(manifests)).replaceAll(/namespace=~\\"[a-z|]+\\"/g, String.raw`namespace=~\".*\"`);
      expect(parse(unscoped.replaceAll(/"(namespace|installation)":"mail",/g, ''))).toEqual(shipped.groups);
      const without = groupsOf(rendered({ smtp: { enabled: false }, metrics: { prometheusRule: { enabled: true } } })).map(
        ({ name }) => name,
      );
      expect(without).toEqual(shipped.groups.map(({ name }) => name).filter((name) => name !== 'lettermill-smtp'));
    });

    test('watch the namespace of the release alone, and name it; those of machines watch namespaces that are given', () => {
      for (const { name, rules } of groupsOf(manifests)) {
        const isOfMachines = name === 'lettermill-machines';
        const watched = isOfMachines ? 'namespace=~"mail|mongodb"' : 'namespace=~"mail"';
        for (const { expr, labels } of rules) {
          expect(expr.split(watched)).toHaveLength(selectorsIn(expr).length + 1);
          expect(labels).toMatchObject(isOfMachines ? { installation: 'mail' } : { namespace: 'mail' });
        }
      }
      const byDefault = groupsOf(rendered({ metrics: { prometheusRule: { enabled: true } } })).flatMap(({ rules }) => rules);
      for (const { expr } of byDefault) expect(expr.split('namespace=~"mail"')).toHaveLength(selectorsIn(expr).length + 1);
      expect(refusal({ metrics: { prometheusRule: { machineNamespaces: ['a"}'] } } })).toContain('does not match pattern');
    });

    test('fire though another installation in the same Prometheus is well, and not for what is wrong there', () => {
      const folder = scratchDir('chart-alerts');
      const both = (series: string, mail: string, staging: string) =>
        Object.entries({ mail, staging }).map(([namespace, values]) => ({
          series: series.replace('}', `,namespace="${namespace}"}`),
          values,
        }));
      const fires = (alertname: string, labels: object, summary: string) => ({
        eval_time: '10m',
        alertname,
        exp_alerts: [
          {
            exp_labels: { severity: 'page', namespace: 'mail', ...labels },
            exp_annotations: {
              summary,
              runbook: `docs/runbook.md#${alertname.toLowerCase()}`,
            },
          },
        ],
      });
      const installations = {
        name: 'two installations',
        interval: '1m',
        input_series: [
          ...both('lettermill_build_info{part="api"}', '_x15', '1x15'),
          ...both('lettermill_build_info{part="worker"}', '1x15', '_x15'),
          ...both('lettermill_task_queue_workers{task_queue="delivery"}', '0x15', '2x15'),
          ...both('lettermill_queue_oldest_due_seconds{shard="1"}', '0x15', '900x15'),
          ...both('kubelet_volume_stats_available_bytes{persistentvolumeclaim="data-0"}', '50x15', '1x15'),
          ...both('kubelet_volume_stats_capacity_bytes{persistentvolumeclaim="data-0"}', '100x15', '100x15'),
          ...['mail', 'mongodb'].map((namespace) => ({
            series: `kube_cronjob_status_last_successful_time{cronjob="backup",namespace="${namespace}"}`,
            values: '-100000x15',
          })),
        ],
        alert_rule_test: [
          {
            eval_time: '10m',
            alertname: 'LettermillBackupOld',
            exp_alerts: ['mail', 'mongodb'].map((namespace) => ({
              exp_labels: { severity: 'ticket', installation: 'mail', cronjob: 'backup', namespace },
              exp_annotations: {
                summary: 'The last backup was made 1d 3h 56m 40s ago',
                runbook: 'docs/runbook.md#lettermillbackupold',
              },
            })),
          },
          fires('LettermillNoApi', { part: 'api' }, 'No API process is scraped'),
          fires('LettermillQueueWithoutWorker', { task_queue: 'delivery' }, 'No worker takes the task queue delivery'),
          ...['NoWorker', 'QueueOld', 'DiskFull'].map((name) => ({ eval_time: '10m', alertname: `Lettermill${name}`, exp_alerts: [] })),
        ],
      };
      writeFileSync(path.join(folder, 'rules.yml'), stringify({ groups: groupsOf(manifests) }));
      const file = path.join(folder, 'rules.test.yml');
      writeFileSync(file, stringify({ rule_files: ['rules.yml'], evaluation_interval: '1m', tests: [installations] }));
      const check = [path.join(ALERTS, 'check/run.mjs'), file];
      expect(execFileSync(process.execPath, check, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })).toBe('');
    }, 600_000);
  });

  test('lets one part of a kind be taken away at a time, and grows by metrics that there are', () => {
    expect(ofKind('PodDisruptionBudget').map(({ spec }) => spec?.maxUnavailable)).toEqual(ofKind('Deployment').map(() => 1));
    const gauges = new Set(Object.values(metrics).map((metric) => declarationOf(metric).name));
    const grownBy = ofKind('HorizontalPodAutoscaler').flatMap(({ spec }) => spec?.metrics?.flatMap(({ external }) => external ?? []) ?? []);
    expect(grownBy.length).toBeGreaterThan(0);
    for (const { metric } of grownBy) expect([...gauges]).toContain(metric.name);
  });

  test('says a first command that there is', () => {
    const notes = readFileSync(path.join(CHART, 'templates/NOTES.txt'), 'utf8').replaceAll('{{ .Release.Name }}', 'lettermill');
    const [, deployment, program] = /exec deployment\/(\S+) -- (node \S+) projects create "/.exec(notes) ?? [];
    expect(ofKind('Deployment').map(({ metadata }) => metadata.name)).toContain(deployment);
    expect(ofKind('Job')[0]?.spec?.template?.spec.containers[0].command.join(' ')).toBe(`${program} migrate`);
  });

  test('brings data to this release before its parts', () => {
    for (const job of ofKind('Job')) {
      expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
      expect(job.spec?.template?.spec.containers[0].command).toEqual(['node', 'src/processes/admin/main.js', 'migrate']);
    }
  });
});
