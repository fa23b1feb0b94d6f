import { z } from 'zod';
import { fileSettings, filesFault } from './file-settings';
import { paymentSettings, paymentsFault } from './payment-settings';
import { submissionSettings, withoutCertificate, inboundSettings } from './submission-settings';
import type { Stray } from './setting-files';
import {
  buildName,
  count,
  filePath,
  flag,
  hostList,
  hostName,
  httpUrl,
  isYes,
  seconds,
  spamFilterUrl,
  yesOrNo,
  traceSettings,
  tracesEnabled,
} from './setting-kinds';
import { settingOfFile, withFiles, straySettings } from './setting-files';
import { SIGN_IN_NEEDS, signInFaults, signInSettings } from './sign-in-settings';
import { transportSettings } from './transport-settings';

const secretList = z
  .string()
  .transform((list) => list.split(','))
  .pipe(
    z
      .array(z.string().min(32, 'each secret needs at least 32 characters'))
      .min(1)
      .refine((secrets) => new Set(secrets).size === secrets.length, 'the same secret is listed twice'),
  );

/** Returns a name or an address, one of IPv6 in brackets, and where it listens. */
function isServer(text: string): boolean {
  const port = /^(?:\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(text.trim());
  return port !== null && Number(port[1] ?? 53) > 0 && Number(port[1] ?? 53) <= 65_535;
}

/** Port of the web UI of the embedded Temporal unless another one is configured. */
export const DEFAULT_UI_PORT = 8233;

const ConfigSchema = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('in production, logs are JSON and development shortcuts are refused'),
  RELEASE_COMMIT: buildName.optional().describe('commit of the build'),
  PORT: count(3000, 0, 65_535).describe('API port; 0 picks a free one'),
  HOST: z.string().min(1).default('127.0.0.1').describe('address that the API listens on'),
  PUBLIC_URL: httpUrl.optional().describe('base of links in mail; default http://localhost:<PORT>'),
  DATA_DIR: z.string().min(1).default('.data').describe('folder of the embedded default'),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must be mongodb:// or mongodb+srv://')
    .optional()
    .describe('MongoDB replica set (docs/operating.md, TLS); default an embedded one'),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s:/]+:\d{1,5}$/, 'must be host:port')
    .optional()
    .describe('Temporal front end; default an embedded one'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('Temporal namespace'),
  TEMPORAL_TLS: yesOrNo.transform(isYes).optional().describe('connect to Temporal with TLS; implied by the following'),
  TEMPORAL_TLS_CA: filePath.describe("PEM file with Temporal's certificate authorities; default the system's"),
  TEMPORAL_TLS_CERT: filePath.describe('PEM file with the certificate for mTLS; needs TEMPORAL_TLS_KEY'),
  TEMPORAL_TLS_KEY: filePath.describe('PEM file with its private key'),
  TEMPORAL_TLS_SERVER_NAME: hostName.optional().describe("name in Temporal's certificate; default that of TEMPORAL_ADDRESS"),
  TEMPORAL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
    .optional()
    .describe('API key for Temporal Cloud'),
  TEMPORAL_UI_PORT: count(DEFAULT_UI_PORT, 0, 65_535).describe('port of the embedded web UI; any free one if taken'),
  TEMPORAL_UI_URL: httpUrl.optional().describe('base of the Temporal web UI, for links from the console'),
  APP_SECRET: secretList
    .optional()
    .describe('secret of at least 32 characters, or several with commas (docs/operating.md, Rotating the secret)'),
  SMTP_URL: z
    .string()
    .regex(/^(smtps?:\/\/.+|direct:)$/, 'must be smtp://, smtps:// or direct:')
    .optional()
    .describe('smtp[s]://[user:pass@]host:port[/?tls=off|opportunistic|required|insecure]; the embedded default uses its sink'),
  ...transportSettings,
  SMTP_CONNECTIONS: count(20, 1, 1000).describe('SMTP connections per worker process'),
  SMTP_ACCEPTED_IS_DELIVERED: flag(true).describe("a smarthost's 250 means delivered"),
  LEDGER_CHUNK: count(500, 1, 10_000).describe('campaign messages a worker sends before it records them, at most'),
  POLICY_REFUSALS: count(10, 1, 10_000).describe("policy refusals of one provider an hour that hold a project's campaigns for it"),
  SMTP_RETRY_SECONDS: seconds('30,120,600,1800,3600,7200,14400,28800,28800').describe('waits before delivery retries'),
  EVENTS_PUBLIC_RATE_PER_MINUTE: count(600, 1).describe('events per minute and IP address with a public key'),
  DRAIN_SECONDS: count(0, 0, 600).describe('seconds a stopping process is “not ready” on /readyz while it continues to work'),
  TRUSTED_PROXIES: count(0, 0, 10).describe('your proxies in front of the API: trusted entries of X-Forwarded-For'),
  ...inboundSettings,
  ...submissionSettings,
  ...fileSettings,
  DNS_SERVERS: z
    .string()
    .refine((list) => list.split(',').every(isServer), 'must be host[:port],...')
    .optional()
    .describe("host[:port],... for DNS checks; default the system's"),
  CLICK_TIMING: flag(false).describe(
    'judge clicks by their time too: right after delivery, without images, many at once; off, your own links can be tried at once',
  ),
  PLATFORM_DOMAIN: hostName.default('lettermill.test').describe('domain of the platform itself'),
  TRACKING_HOST: hostName.optional().describe('CNAME target of tracking domains; default track.<PLATFORM_DOMAIN>'),
  SPF_INCLUDE: hostName.optional().describe('SPF include of sending domains; default _spf.<PLATFORM_DOMAIN>'),
  MX_HOST: hostName.optional().describe('MX target of bounce domains; default mx.<PLATFORM_DOMAIN>'),
  BOUNCE_DOMAIN: hostName.optional().describe('envelope domain until a bounce domain is verified; default bounce.<PLATFORM_DOMAIN>'),
  DEV_VERIFIED_DOMAINS: hostList.optional().describe('verified domains of the first project; refused in production'),
  DEV_PROJECT_DOMAINS: hostName.optional().describe('every other project has a verified domain below it; refused in production'),
  DOMAIN_CHECK_INTERVAL_SECONDS: count(300, 1).describe('wait between checks of a pending domain'),
  DOMAIN_CHECK_WINDOW_HOURS: count(72, 1).describe('time after which a pending domain fails'),
  SEND_RATE_PER_SECOND: count(100, 1).describe('sends of a project a second'),
  SEND_RATE_BURST: count(2000, 1).describe('sends of a project at once'),
  API_RATE_PER_SECOND: count(100, 1).describe('other requests of a key a second'),
  API_RATE_BURST: count(500, 1).describe('other requests of a key at once'),
  MAX_REQUESTS_IN_FLIGHT: count(1_000, 1).describe('requests in progress in an API process, before 503'),
  MAX_WEBHOOKS: count(50, 1).describe('webhooks of a project'),
  MAX_SEGMENTS: count(1_000, 1).describe('segments of a project'),
  MAX_SEGMENT_CONDITION_BYTES: count(16_777_216, 1).describe("bytes of the conditions of a project's segments"),
  MAX_TOPICS: count(100, 1, 1_000).describe('topics of a project'),
  MAX_AUTOMATIONS: count(1_000, 1).describe('automations of a project'),
  MAX_TEMPLATES: count(10_000, 1).describe('templates of a project'),
  MAX_DOMAINS: count(500, 1).describe('sending domains of a project'),
  MAX_FIELDS: count(500, 1).describe('contact fields of a project'),
  MAX_KEYS: count(50, 1).describe('usable keys of a project, of each kind'),
  RETENTION_DAYS: count(400, 1, 36_500).describe('how long mail, events, executions and audiences are kept (docs/retention.md)'),
  CONTENT_RETENTION_DAYS: count(45, 1, 36_500).describe('how long bodies, values, headers and attachments are kept'),
  ENFORCE_PLAN_QUOTAS: flag(false).describe('enforce the plan quotas without payments'),
  PLAN_QUOTA_FREE: count(3000).describe('credits a month'),
  PLAN_QUOTA_STARTER: count(50_000).describe('credits a month'),
  PLAN_QUOTA_GROWTH: count(250_000).describe('credits a month'),
  WEBHOOK_ALLOW_INSECURE: flag(false).describe('allow http:// webhook URLs; true in the embedded default'),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe('allow webhook URLs on private addresses; true in the embedded default'),
  WEBHOOK_TIMEOUT_SECONDS: count(15, 1, 120).describe('time-out of one webhook attempt'),
  WEBHOOK_RETRY_SECONDS: seconds('5,60,300,1800,7200,18000,28800,28800').describe('waits before webhook retries'),
  SPAM_CHECK_URL: spamFilterUrl
    .optional()
    .describe('spam filter for checks before a launch: http[s]://host:port of rspamd, or spamd://host[:783]'),
  ...signInSettings,
  ...paymentSettings,
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('port of /metrics, /livez and /readyz; off without it; npm start also uses the next two'),
  METRICS_HOST: z.string().min(1).optional().describe('address of METRICS_PORT; default HOST'),
  ...traceSettings,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('JSON lines in production, readable otherwise'),
  MONGOD_BINARY: z.string().min(1).optional().describe('mongod of the embedded default'),
  TEMPORAL_BINARY: z.string().min(1).optional().describe('temporal CLI of the embedded default'),
  TEMPORAL_TEST_SERVER: z.string().min(1).optional().describe('time-skipping Temporal test server, for tests'),
  DEV_INBOX_URL: httpUrl.optional().describe('set by the embedded default, for /dev/inbox'),
});

const SETTINGS = Object.keys(ConfigSchema.shape);

/** Settings that are whole numbers. */
type CountSetting = { [K in keyof Parsed]-?: Parsed[K] extends number ? K : never }[keyof Parsed];

/** Returns the number that a text gives for a setting. Throws an error that says what the setting takes. */
export function readCount(name: CountSetting, text: string): number {
  const { data, error } = ConfigSchema.shape[name].safeParse(/^\d+$/.test(text) ? text : Number.NaN);
  if (error) throw new RangeError(error.issues.map(({ message }) => message).join('; '));
  return data;
}

type Parsed = z.output<typeof ConfigSchema>;
type Filled = 'METRICS_HOST' | 'PUBLIC_URL' | 'TRACKING_HOST' | 'SPF_INCLUDE' | 'MX_HOST' | 'BOUNCE_DOMAIN';

export type Config = Readonly<Omit<Parsed, Filled> & { [K in Filled]: string }>;

const SERVER_KEYS = ['MONGODB_URI', 'TEMPORAL_ADDRESS', 'APP_SECRET'] as const;

/** The configuration of a process that uses given servers: the addresses that the embedded servers would provide are set. */
export type ServerConfig = Config & { readonly [K in (typeof SERVER_KEYS)[number]]: NonNullable<Parsed[K]> };

const TEMPORAL_TLS_KEYS = [
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
] as const;

/** Returns why Temporal cannot be connected to with what is given of its settings; null when it can. */
function temporalFault(config: Parsed): string | null {
  const given = TEMPORAL_TLS_KEYS.filter((key) => config[key] !== undefined);
  if (config.TEMPORAL_TLS === false && given.length > 0) return `TEMPORAL_TLS=false excludes ${given.join(', ')}`;
  const [first] = config.TEMPORAL_TLS ? ['TEMPORAL_TLS'] : given;
  return first !== undefined && config.TEMPORAL_ADDRESS === undefined ? `${first} needs TEMPORAL_ADDRESS` : null;
}

function developmentFault(config: Parsed): string | null {
  if (config.NODE_ENV !== 'production') return null;
  const given = (['DEV_VERIFIED_DOMAINS', 'DEV_PROJECT_DOMAINS'] as const).find((name) => config[name]);
  return given ? `${given} is refused when NODE_ENV=production` : null;
}

/** Settings that need another one. */
const NEEDS: readonly (readonly [name: keyof Parsed, needed: keyof Parsed])[] = [
  ...(['TEMPORAL', 'INBOUND', 'SUBMISSION'] as const).flatMap((part) => [
    [`${part}_TLS_CERT`, `${part}_TLS_KEY`] as const,
    [`${part}_TLS_KEY`, `${part}_TLS_CERT`] as const,
  ]),
  ...SIGN_IN_NEEDS,
];

const needsFaults = (config: Parsed): readonly string[] =>
  NEEDS.flatMap(([name, needed]) => (config[name] !== undefined && config[needed] === undefined ? [`${name} needs ${needed}`] : []));

/** Lists what is wrong between settings that are valid one by one. */
const faultsOf = (config: Parsed): readonly string[] =>
  [developmentFault, paymentsFault, temporalFault, needsFaults, filesFault, signInFaults].flatMap((faultOf) => faultOf(config) ?? []);

/** Returns why a process does not start: a sentence for each fault. */
export const badConfiguration = (...faults: readonly string[]): Error =>
  new Error(`Bad configuration:\n${faults.map((fault) => `✖ ${fault}`).join('\n')}`);

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns what of the environment counts: an empty variable is as good as none. */
const givenIn = (env: Environment): Environment => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/** Returns whether traces are to be made, asked before anything else is loaded. Wrong values count as off here: `loadConfig` names them soon after. */
export function wantsTraces(env: Environment = process.env): boolean {
  const { success, data } = z.object(traceSettings).safeParse(givenIn(env));
  return success && tracesEnabled(data);
}

/**
 * Reads and checks the environment once, at start, with the files that replace settings; no other code reads process.env. Throws a list of
 * all faults.
 */
export function loadConfig(env: Environment = process.env): Config {
  const given = withFiles(givenIn(env), SETTINGS);
  if (given.faults.length > 0) throw badConfiguration(...given.faults);
  const parsed = ConfigSchema.safeParse(given.env);
  if (!parsed.success) throw new Error(`Bad configuration:\n${z.prettifyError(parsed.error)}`);
  const config = parsed.data;
  const faults = faultsOf(config);
  if (faults.length > 0) throw badConfiguration(...faults);
  return Object.freeze(filled(config));
}

/** Adds what other settings say of those that are not given. */
const filled = (config: Parsed): Config => ({
  ...config,
  METRICS_HOST: config.METRICS_HOST ?? config.HOST,
  TEMPORAL_TLS: config.TEMPORAL_TLS ?? TEMPORAL_TLS_KEYS.some((key) => config[key] !== undefined),
  PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
  TRACKING_HOST: config.TRACKING_HOST ?? `track.${config.PLATFORM_DOMAIN}`,
  SPF_INCLUDE: config.SPF_INCLUDE ?? `_spf.${config.PLATFORM_DOMAIN}`,
  MX_HOST: config.MX_HOST ?? `mx.${config.PLATFORM_DOMAIN}`,
  BOUNCE_DOMAIN: config.BOUNCE_DOMAIN ?? `bounce.${config.PLATFORM_DOMAIN}`,
});

/** Does as `loadConfig` for `api`, `worker` and `smtp`, which start no servers: the servers and the secret must be given. */
export function loadServerConfig(env: Environment = process.env): ServerConfig {
  const config = loadConfig(env);
  const missing = SERVER_KEYS.filter((key) => config[key] === undefined);
  const faults = [...missing.map((key) => `${key} is required`), ...[withoutCertificate(config) ?? []].flat()];
  if (faults.length > 0) throw badConfiguration(...faults);
  return config as ServerConfig;
}

/** Returns the variables of the environment that look like settings and are none. */
export const strayVariables = (env: Environment = process.env): readonly Stray[] =>
  straySettings(
    Object.keys(env).filter((name) => env[name] !== '' && settingOfFile(name, SETTINGS) === undefined),
    SETTINGS,
  );

/** Lists name, default and meaning of every variable, for the generated documentation. */
export function describeConfig(): readonly { readonly name: string; readonly fallback: string; readonly meaning: string }[] {
  const json = z.toJSONSchema(ConfigSchema, { io: 'input', unrepresentable: 'any' }) as {
    properties: Record<string, { default?: unknown; description?: string }>;
  };
  return Object.entries(json.properties).map(([name, schema]) => ({
    name,
    fallback: schema.default === undefined ? '' : String(schema.default as string | number),
    meaning: schema.description ?? '',
  }));
}
