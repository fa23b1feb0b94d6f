import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { describeConfig, loadServerConfig } from '../../../src/platform/config/config';
import { TASK_QUEUES } from '../../../src/contracts/task-queues';
import { temporalCommand } from '../../../packages/local/src/temporal';
import { API_FLAGS, WORKER_ENVIRONMENT, WORKER_FLAGS } from '../../../src/platform/config/introduce';

const ROOT = path.resolve(__dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: { readonly args: Readonly<Record<string, string>> };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly interval: string };
  readonly volumes?: readonly string[];
  readonly restart: string;
  readonly stop_grace_period?: string;
  readonly profiles?: readonly string[];
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly deploy?: { readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } } };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const parts = ours.filter(([name]) => !name.endsWith('-init'));
const known = describeConfig().map(({ name }) => name);

/** As Docker Compose fills in `${NAME:-default}` and `${NAME:?message}`. */
const filled = (value: string | number, given: Readonly<Record<string, string>>): string =>
  String(value).replace(
    /\$\{([A-Z_]+):([-?])([^}]*)\}/g,
    (_, name: string, kind: string, rest: string) => given[name] ?? (kind === '-' ? rest : ''),
  );

const GIVEN: Readonly<Record<string, string>> = {
  MONGO_PASSWORD: 'abc123',
  APP_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtps://user:password@mail.example.com:465',
  PUBLIC_URL: 'https://mail.example.com',
};

test('the MongoDB of the compose file gives up the transactions of a lost process within a minute', () => {
  const [, seconds] = /transactionLifetimeLimitSeconds=(\d+)/.exec(compose.services['mongo']?.command?.join(' ') ?? '') ?? [];
  expect(Number(seconds) * 1.5).toBeLessThan(60);
});

test('the MongoDB of the compose file logs no filter of a slow query', () => {
  for (const name of ['mongo', 'mongo-2', 'mongo-3']) expect(compose.services[name]?.command?.join(' ')).toContain(' --slowms 3600000');
});

test.each(services)('%s has no capability that it is not given by name', (_name, service) => {
  expect(service.cap_drop).toEqual(['ALL']);
});

test('the compose file has all services that the platform is made of', () => {
  expect(services.map(([name]) => name).sort()).toEqual(
    [
      'alertmanager',
      'api',
      'grafana',
      'migrate-init',
      'mongo',
      'mongo-2',
      'mongo-3',
      'mongo-init',
      'postgres',
      'prometheus',
      'proxy',
      'smtp',
      'temporal',
      'temporal-init',
      'temporal-schema',
      'temporal-ui',
      ...TASK_QUEUES.map((queue) => `worker-${queue}`),
    ].sort(),
  );
});

/** Services that make something ready, and end. */
const endsByItself = (name: string): boolean => /-(init|schema)$/.test(name);

test.each(services)(
  '%s has a pinned image, a restart policy, a health check, limits, and a log that does not grow for ever',
  (name, service) => {
    expect(service.image).toMatch(/^[a-z0-9/-]+:v?\d+\.\d+(\.\d+)?(-[a-z0-9.]+)?$/);
    expect(service.restart).toMatch(/^(unless-stopped|on-failure)$/);
    expect(service.healthcheck?.test[0] ?? 'none').toMatch(endsByItself(name) ? /^none$/ : /^CMD(-SHELL)?$/);
    expect(service.logging?.options).toMatchObject({ 'max-size': expect.stringMatching(/^\d+m$/) as string, 'max-file': '5' });
    expect(service.deploy?.resources.limits).toEqual({
      cpus: expect.stringMatching(/^\d/) as string,
      memory: expect.stringMatching(/^\d+[MG]$/) as string,
    });
  },
);

/** Variables of an installation or a build that `.env` need not have. */
const OPTIONAL: ReadonlySet<string> = new Set(['ALERTMANAGER_CONFIG', 'MONGO_MEMBERS', 'RELEASE_COMMIT']);

test('no secret has a default, and each that the file asks for is made by the script', () => {
  const text = read('docker-compose.yml');
  const asked = [...text.matchAll(/\$\{(\w+):([-?])([^}]*)\}/g)].map(([, name = '', kind, rest]) => ({ name, kind, rest }));
  const secrets = asked.filter(({ name }) => /SECRET|PASSWORD|KEY/.test(name));
  expect(secrets.filter(({ kind, rest }) => kind === '-' && rest !== '')).toEqual([]);
  const printed = execFileSync(path.join(ROOT, 'deploy/compose/secrets.sh'), { encoding: 'utf8' });
  const made = new Map([...printed.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
  expect([...made.keys()].sort()).toEqual([...new Set(asked.map(({ name }) => name))].filter((name) => !OPTIONAL.has(name)).sort());
  const values = secrets.map(({ name }) => made.get(name));
  for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(values).size).toBe(new Set(secrets.map(({ name }) => name)).size);
});

test('servers ask for a password, and are reached from nowhere but the platform', () => {
  const { mongo, postgres, temporal } = compose.services;
  expect(mongo?.command?.join(' ')).toContain('--auth --keyFile');
  expect(postgres?.environment).toMatchObject({ POSTGRES_INITDB_ARGS: '--auth-host=scram-sha-256' });
  for (const server of [mongo, postgres, temporal]) expect([server?.networks, server?.ports]).toEqual([['servers'], undefined]);
  expect(compose.networks['servers']).toEqual({ internal: true });
});

test('the replicas of MongoDB are two more of the same, on data of their own, and come with their profile', () => {
  const { mongo, 'mongo-2': second, 'mongo-3': third } = compose.services;
  for (const replica of [second, third]) {
    expect(replica).toMatchObject({ image: mongo?.image, command: mongo?.command, profiles: ['replicas'] });
    expect(replica?.environment?.['REPLICA_KEY']).toBe(mongo?.environment?.['REPLICA_KEY']);
  }
  expect(new Set([mongo, second, third].map((member) => member?.volumes?.[0])).size).toBe(3);
});

test('the proxy asks the API before it gets a certificate for a host, on a port that is not published', () => {
  expect(read('deploy/caddy/Caddyfile')).toMatch(/^\t\task http:\/\/api:9464\/certificate$/m);
  expect(compose.services['api']).toMatchObject({ environment: { METRICS_PORT: 9464, TRUSTED_PROXIES: 1 } });
  expect(compose.services['api']?.ports).toBeUndefined();
});

test('inbound SMTP offers STARTTLS, and finds certificates in a folder that no commit takes', () => {
  const { environment, volumes } = compose.services['smtp'] ?? {};
  expect(environment).toMatchObject({ INBOUND_TLS_SELF_SIGNED: 'true' });
  expect(volumes).toEqual(['./deploy/compose/tls:/tls:ro']);
  expect(read('deploy/compose/tls/.gitignore')).toContain('\n*\n');
});

test('Prometheus scrapes every part, and Grafana finds the dashboards where they are mounted', () => {
  const { scrape_configs: jobs } = parse(read('deploy/prometheus/prometheus.yml')) as {
    readonly scrape_configs: readonly { readonly dns_sd_configs?: readonly { readonly names: readonly string[] }[] }[];
  };
  expect(jobs[0]?.dns_sd_configs?.[0]?.names.toSorted()).toEqual(parts.map(([name]) => name).sort());
  expect(compose.services['grafana']?.volumes).toContain('./deploy/grafana:/etc/lettermill:ro');
  expect(read('deploy/grafana/provisioning/dashboards/lettermill.yaml')).toContain('path: /etc/lettermill');
});

test('Prometheus hands alerts to the Alertmanager of its profile, whose configuration may be a file that no commit takes', () => {
  const prometheus = parse(read('deploy/prometheus/prometheus.yml')) as object;
  const alertmanagers = [{ static_configs: [{ targets: ['alertmanager:9093'] }] }];
  expect(prometheus).toMatchObject({ rule_files: ['alerts.yml'], alerting: { alertmanagers } });
  const there = '/etc/alertmanager/alertmanager.yml';
  const volumes = [`\${ALERTMANAGER_CONFIG:-./deploy/prometheus/alertmanager.yml}:${there}:ro`, 'alertmanager:/alertmanager'];
  const command = expect.arrayContaining([`--config.file=${there}`]) as unknown;
  expect(compose.services['alertmanager']).toMatchObject({ profiles: ['monitoring'], networks: ['outside'], volumes, command });
  expect(compose.services['prometheus']).toMatchObject({ profiles: ['monitoring'], networks: ['servers', 'outside'] });
  expect(read('.gitignore')).toContain('\n/alertmanager.yml\n');
});

/** A text of the compose file where `.env` sets nothing. */
const withDefaults = (text: string): string => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

test.each(services)('%s waits for services that are there, in a way that they can fulfil', (_, service) => {
  for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
    expect(Object.keys(compose.services)).toContain(name);
    expect(condition).toBe(endsByItself(name) ? 'service_completed_successfully' : 'service_healthy');
  }
  for (const [source = ''] of (service.volumes ?? []).map((volume) => withDefaults(volume).split(':'))) {
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

const entryOf = (command: readonly string[] = []): readonly string[] => command.slice(command.findIndex((word) => word.endsWith('.js')));

test.each(ours)(
  '%s runs what an entry file is compiled to, and writes to nothing of its image',
  (_, { command = [], read_only: readOnly }) => {
    expect(command[0]).toBe('node');
    expect(existsSync(path.join(ROOT, entryOf(command)[0]?.replace(/\.js$/, '.ts') ?? ''))).toBe(true);
    expect(readOnly).toBe(true);
  },
);

test.each(parts)('%s starts when the database is migrated', (_, service) => {
  expect(service.depends_on).toHaveProperty('migrate-init');
});

test.each(parts)('%s is asked for its health by a probe on a port that it has', (name, { healthcheck, environment = {} }) => {
  const [, port, probe] = /127\.0\.0\.1:(\d+)\/(livez|readyz)'/.exec(healthcheck?.test.join(' ') ?? '') ?? [];
  expect([environment['METRICS_PORT'], environment['PORT']].map(String)).toContain(port);
  expect(probe).toBe(name.startsWith('worker-') ? 'livez' : 'readyz');
});

test('images name the commit that they were built from, if it is given', () => {
  for (const [, { build }] of ours) expect(build?.args).toEqual({ RELEASE_COMMIT: '${RELEASE_COMMIT:-}' });
  expect(read('Dockerfile')).toMatch(/^ARG RELEASE_COMMIT=\nENV RELEASE_COMMIT=\$RELEASE_COMMIT$/m);
});

test('the image asks what runs in it for its health', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toMatch(/^ENV METRICS_PORT=9464$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]+process\.env\.METRICS_PORT \+ '\/livez'/m);
});

test('each task queue has a worker pool of its own', () => {
  const pools = ours.filter(([name]) => name.startsWith('worker-')).map(([name, { command }]) => [name, entryOf(command)]);
  expect(pools).toEqual(TASK_QUEUES.map((queue) => [`worker-${queue}`, ['worker/main.js', queue]]));
});

test('workers that send mail have room for what lasts as long as a message, in a container and without one', () => {
  const [, delivery] = ours.find(([name]) => name === 'worker-delivery') ?? [];
  expect(delivery?.command?.slice(1, -2)).toEqual(WORKER_FLAGS);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { worker: string } };
  const variables = Object.entries(WORKER_ENVIRONMENT).map(([name, value]) => `ENV ${name}=${value}`);
  expect(read('Dockerfile').split('\n')).toEqual(expect.arrayContaining(variables));
  expect(scripts.worker).toBe(
    `MALLOC_ARENA_MAX=${WORKER_ENVIRONMENT.MALLOC_ARENA_MAX} exec node ${WORKER_FLAGS.join(' ')} src/run.cjs worker/main.ts`,
  );
});

test.each([
  ['api', 'api/main.ts'],
  ['smtp', 'src/processes/inbound-smtp/main.ts'],
])('%s has room for what is made for a request, in a container and without one', (name, file) => {
  const [, part] = ours.find(([other]) => other === name) ?? [];
  expect(part?.command?.slice(1, -1)).toEqual(API_FLAGS);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(scripts[name]).toBe(`exec node ${API_FLAGS.join(' ')} src/run.cjs ${file}`);
});

test('.env.example names every variable, with its default, and sets none', () => {
  const lines = read('.env.example')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '));
  expect(lines).toEqual(describeConfig().map(({ name, fallback }) => `#${name}=${fallback}`));
});

test('the image is built from pinned bases, from files that are there and admitted, and does not run as root', () => {
  const dockerfile = read('Dockerfile');
  for (const [, base] of dockerfile.matchAll(/^FROM (.+)$/gm)) expect(base).toMatch(/^node:24\.\d+\.\d+-[a-z-]+( AS build)?$/);
  const admitted = read('.dockerignore').split('\n');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  expect(copied.length).toBeGreaterThan(5);
  for (const name of copied) {
    expect(existsSync(path.join(ROOT, name))).toBe(true);
    expect(admitted.some((line) => line === `!${name}` || line.startsWith(`!${name}/`))).toBe(true);
  }
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('a new Temporal server has the settings of the embedded one; a used one all but fairness, which is safe only where it is new', () => {
  const { args } = temporalCommand({ binary: 'temporal', port: 1, namespace: 'default', searchAttributes: {}, dbFile: 'file' });
  const embedded = args.filter((_, index) => args[index - 1] === '--dynamic-config-value');
  const ofNewState = /^matching\.(enableFairness|numTaskqueueReadPartitions)=/;
  const settingsOf = (file: string): readonly string[] => {
    const settings = parse(read(`deploy/${file}`)) as Record<string, readonly { readonly value: unknown }[]>;
    return Object.entries(settings).map(([name, [first]]) => `${name}=${String(first?.value)}`);
  };
  expect([...settingsOf('temporal-dynamic-config-new.yaml')].sort()).toEqual([...embedded].sort());
  expect(settingsOf('temporal-dynamic-config.yaml')).toEqual(embedded.filter((setting) => !ofNewState.test(setting)));
  const mounted = compose.services['temporal']?.volumes?.join() ?? '';
  expect(mounted).toContain('./deploy/${TEMPORAL_DYNAMIC_CONFIG:-temporal-dynamic-config.yaml}:');
  const printed = execFileSync(path.join(ROOT, 'deploy/compose/secrets.sh'), { encoding: 'utf8' });
  expect(printed).toContain('\nTEMPORAL_DYNAMIC_CONFIG=temporal-dynamic-config-new.yaml\n');
});

test.each(parts)('%s has the time to finish what it has, after the time in which load balancers learn that it goes', (_name, service) => {
  const drain = Number(service.environment?.['DRAIN_SECONDS'] ?? 0);
  expect(Number.parseInt(service.stop_grace_period ?? '0', 10)).toBeGreaterThan(drain + 20);
});
