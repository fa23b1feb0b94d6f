import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { describeConfig, loadServerConfig } from '../../../src/platform/config/config';
import { TASK_QUEUES } from '../../../src/contracts/task-queues';
import { metrics } from '../../../src/platform/metrics/metrics';
import { declarationOf } from '../../../src/platform/metrics/declare';
import { API_FLAGS, WORKER_FLAGS } from '../../../src/platform/config/process-flags';

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
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
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
    readonly metrics?: readonly { readonly external?: { readonly metric: { readonly name: string } } }[];
    readonly maxUnavailable?: number;
  };
}

describe('the chart', () => {
  const values = parse(readFileSync(path.join(CHART, 'values.yaml'), 'utf8')) as {
    readonly api: object;
    readonly workers: Readonly<Record<string, object>>;
  };

  test('has a worker pool for each task queue, and room for what lasts as long as a message in the one that sends', () => {
    expect(Object.keys(values.workers).sort()).toEqual([...TASK_QUEUES].sort());
    expect(values.workers['delivery']).toMatchObject({ nodeFlags: [...WORKER_FLAGS] });
  });

  test('has room for what is made for a request in the API', () => {
    expect(values.api).toMatchObject({ nodeFlags: [...API_FLAGS] });
  });

  test('is of the version of the platform', () => {
    const { version } = parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
    expect(parse(readFileSync(path.join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
  });
});

describe('the chart, rendered', () => {
  let manifests: readonly Manifest[];
  const ofKind = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  const containersOf = (found: readonly Manifest[]): readonly Container[] =>
    found.flatMap(({ spec }) => (spec?.template ? spec.template.spec.containers : []));

  // Rendering takes a tool that Go builds, once.
  beforeAll(() => {
    const rendered = execFileSync(process.execPath, [path.join(CHART, 'check/run.mjs')], { encoding: 'utf8', maxBuffer: 2 ** 24 });
    manifests = parseAllDocuments(rendered).map((document) => document.toJS() as Manifest);
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

  test('lets one part of a kind be taken away at a time, and grows by metrics that there are', () => {
    expect(ofKind('PodDisruptionBudget').map(({ spec }) => spec?.maxUnavailable)).toEqual(ofKind('Deployment').map(() => 1));
    const gauges = new Set(Object.values(metrics).map((metric) => declarationOf(metric).name));
    const grownBy = ofKind('HorizontalPodAutoscaler').flatMap(({ spec }) => spec?.metrics?.flatMap(({ external }) => external ?? []) ?? []);
    expect(grownBy.length).toBeGreaterThan(0);
    for (const { metric } of grownBy) expect([...gauges]).toContain(metric.name);
  });

  test('brings data to this release before its parts', () => {
    for (const job of ofKind('Job')) {
      expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
      expect(job.spec?.template?.spec.containers[0].command).toEqual(['node', 'src/processes/admin/main.js', 'migrate']);
    }
  });
});
