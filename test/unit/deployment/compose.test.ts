import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { describeConfig, loadServerConfig } from '../../../src/config';
import { TASK_QUEUES } from '../../../src/contracts/task-queues';
import { temporalCommand } from '../../../src/embedded/temporal';
import { WORKER_FLAGS } from '../../../src/worker-flags';

const ROOT = path.resolve(__dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly interval: string };
  readonly volumes?: readonly string[];
  readonly restart: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const known = describeConfig().map(({ name }) => name);

/** As Docker Compose fills in `${NAME:-default}` and `${NAME:?message}`. */
const filled = (value: string | number, given: Readonly<Record<string, string>>): string =>
  String(value).replace(
    /\$\{([A-Z_]+):([-?])([^}]*)\}/g,
    (_, name: string, kind: string, rest: string) => given[name] ?? (kind === '-' ? rest : ''),
  );

const GIVEN = {
  APP_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtps://user:password@mail.example.com:465',
  PUBLIC_URL: 'https://mail.example.com',
};

test('its MongoDB gives up the transactions of a lost process within a minute', () => {
  const [, seconds] = /transactionLifetimeLimitSeconds=(\d+)/.exec(compose.services['mongo']?.command?.join(' ') ?? '') ?? [];
  expect(Number(seconds) * 1.5).toBeLessThan(60);
});

test('there is all that the platform is made of', () => {
  expect(services.map(([name]) => name).sort()).toEqual(
    [
      'api',
      'migrate-init',
      'mongo',
      'mongo-init',
      'postgres',
      'smtp',
      'temporal',
      'temporal-init',
      'temporal-ui',
      ...TASK_QUEUES.map((queue) => `worker-${queue}`),
    ].sort(),
  );
});

test.each(services)('%s has a pinned image, a restart policy and a health check', (name, service) => {
  expect(service.image).toMatch(/^[a-z0-9/-]+:\d+\.\d+(\.\d+)?(-[a-z0-9.]+)?$/);
  expect(service.restart).toMatch(/^(unless-stopped|on-failure)$/);
  expect(service.healthcheck?.test[0] ?? 'none').toMatch(name.endsWith('-init') ? /^none$/ : /^CMD(-SHELL)?$/);
});

test.each(services)('%s waits for services that are there, in a way that they can fulfil', (_, service) => {
  for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
    expect(Object.keys(compose.services)).toContain(name);
    expect(condition).toBe(name.endsWith('-init') ? 'service_completed_successfully' : 'service_healthy');
  }
  for (const [source = ''] of (service.volumes ?? []).map((volume) => volume.split(':'))) {
    const isThere = source.startsWith('./') ? existsSync(path.join(ROOT, source)) : source in compose.volumes;
    expect([source, isThere]).toEqual([source, true]);
  }
  expect(service.depends_on ?? {}).not.toHaveProperty('');
});

test.each(ours)('%s is configured by known variables that its configuration accepts', (_, service) => {
  const environment = Object.fromEntries(Object.entries(service.environment ?? {}).map(([name, value]) => [name, filled(value, GIVEN)]));
  expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
  expect(loadServerConfig(environment)).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', PUBLIC_URL: GIVEN.PUBLIC_URL });
});

const entryOf = (command: readonly string[] = []): readonly string[] => command.slice(command.indexOf('src/run.cjs') + 1);

test.each(ours)('%s runs an entry file that is there', (_, { command = [] }) => {
  expect(command[0]).toBe('node');
  expect(existsSync(path.join(ROOT, entryOf(command)[0] ?? ''))).toBe(true);
});

const parts = ours.filter(([name]) => !name.endsWith('-init'));

test.each(parts)('%s starts when the database is migrated', (_, service) => {
  expect(service.depends_on).toHaveProperty('migrate-init');
});

test.each(parts)('%s is asked for its health by a probe on a port that it has', (name, { healthcheck, environment = {} }) => {
  const [, port, probe] = /127\.0\.0\.1:(\d+)\/(livez|readyz)'/.exec(healthcheck?.test.join(' ') ?? '') ?? [];
  expect([environment['METRICS_PORT'], environment['PORT']].map(String)).toContain(port);
  expect(probe).toBe(name.startsWith('worker-') ? 'livez' : 'readyz');
});

test('the image asks what runs in it for its health', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toMatch(/^ENV METRICS_PORT=9464$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]+process\.env\.METRICS_PORT \+ '\/livez'/m);
});

test('each task queue has a worker pool of its own', () => {
  const pools = ours.filter(([name]) => name.startsWith('worker-')).map(([name, { command }]) => [name, entryOf(command)]);
  expect(pools).toEqual(TASK_QUEUES.map((queue) => [`worker-${queue}`, ['worker/main.ts', queue]]));
});

test('workers that send mail have room for what lasts as long as a message, in a container and without one', () => {
  const [, delivery] = ours.find(([name]) => name === 'worker-delivery') ?? [];
  expect(delivery?.command?.slice(1, -3)).toEqual(WORKER_FLAGS);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { worker: string } };
  expect(scripts.worker).toBe(`exec node ${WORKER_FLAGS.join(' ')} src/run.cjs worker/main.ts`);
});

test('.env.example names every variable, with its default, and sets none', () => {
  const lines = read('.env.example')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '));
  expect(lines).toEqual(describeConfig().map(({ name, fallback }) => `#${name}=${fallback}`));
});

test('the image is built from pinned bases, from files that are there and admitted, and does not run as root', () => {
  const dockerfile = read('Dockerfile');
  for (const [, base] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(base).toMatch(/^node:20\.\d+\.\d+-[a-z-]+$/);
  const admitted = read('.dockerignore').split('\n');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  expect(copied.length).toBeGreaterThan(5);
  for (const name of copied) {
    expect(existsSync(path.join(ROOT, name))).toBe(true);
    expect(admitted).toContain(`!${name}`);
  }
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('the Temporal server has the settings of the embedded one, save fairness, which is safe only where it is new', () => {
  const { args } = temporalCommand({ binary: 'temporal', port: 1, namespace: 'default', fair: false });
  const embedded = args.filter((_, index) => args[index - 1] === '--dynamic-config-value');
  const file = parse(read('deploy/temporal-dynamic-config.yaml')) as Record<string, readonly { readonly value: unknown }[]>;
  expect(embedded.length).toBeGreaterThan(0);
  expect(Object.entries(file).map(([name, [first]]) => `${name}=${String(first?.value)}`)).toEqual(embedded);
});
