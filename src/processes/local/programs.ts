import { childEnvironment, keptSecret, mongoUriAt, overridden, readIfThere, replaceFile } from '@lettermill/local';
import type { DataDir, Ports, Program } from '@lettermill/local';
import { API_FLAGS, WORKER_ENVIRONMENT, WORKER_FLAGS } from '../../platform/config';
import type { Config, ServerConfig } from '../../platform/config';
import path from 'node:path';
import { localCertificate } from '../../platform/secrets';

/** Time limit for a program to stop, after the signal. */
const STOP_MS = 21_000;

/** Returns the environment of api, worker and smtp: what was given to us, and what the embedded default adds where nothing was given. */
export function sharedEnvironment(config: Config, dir: DataDir, at: Ports): Record<string, string> {
  const ours = {
    MONGODB_URI: mongoUriAt(at.mongod),
    TEMPORAL_ADDRESS: `127.0.0.1:${at.temporal}`,
    ...(config.TEMPORAL_ADDRESS === undefined && { TEMPORAL_UI_URL: `http://localhost:${at.temporalUi}` }),
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    INBOUND_TLS_SELF_SIGNED: 'true',
    ...(config.NODE_ENV !== 'production' && { DEV_VERIFIED_DOMAINS: 'hello.test', DEV_PROJECT_DOMAINS: 'hello.test' }),
    ...(!config.SMTP_URL && { SMTP_URL: `smtp://127.0.0.1:${at.sinkSmtp}/?tls=off`, DEV_INBOX_URL: `http://127.0.0.1:${at.sinkHttp}` }),
    ...(!config.APP_SECRET && { APP_SECRET: keptSecret(dir) }),
    ...(config.SUBMISSION_TLS_CERT === undefined && keptCertificate(dir)),
  };
  return childEnvironment(ours, { PORT: String(at.api), INBOUND_SMTP_PORT: String(at.inbound), SUBMISSION_PORT: String(at.submission) });
}

/** Describes the SMTP sink with its inbox. */
export const sinkProgram = (dir: DataDir, { sinkSmtp, sinkHttp }: Ports): Program => ({
  name: 'sink',
  file: 'src/processes/local/sink-main.ts',
  args: [dir.inbox, String(sinkSmtp), String(sinkHttp)],
  env: childEnvironment(),
  answers: [`http://127.0.0.1:${sinkHttp}/dev/inbox`],
  patienceMs: 5_000,
});

/** Returns an address that reaches a server which listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Number of the platform's programs: one of each. */
export const PROGRAMS = 3;

/** Describes `npm run api`, `npm run worker` and `npm run smtp`. The API is ready when it takes requests, inbound SMTP when it listens. */
export function platformPrograms(
  { METRICS_PORT, DRAIN_SECONDS }: Config,
  effective: ServerConfig,
  shared: Readonly<Record<string, string>>,
): Program[] {
  const base = `http://${reachable(effective.HOST)}:${effective.PORT}`;
  // /readyz is asked first: while the API is not ready, that leaves no line in its log.
  const answers = [`${base}/readyz`, `${base}/v1/health`];
  const programs: readonly Omit<Program, 'patienceMs'>[] = [
    { name: 'api', file: 'api/main.ts', flags: API_FLAGS, env: shared, answers },
    { name: 'worker', file: 'worker/main.ts', flags: WORKER_FLAGS, env: { ...WORKER_ENVIRONMENT, ...shared } },
    { name: 'smtp', file: 'src/processes/inbound-smtp/main.ts', flags: API_FLAGS, env: shared, saysListening: true },
  ];
  return programs.map((program, n) => ({
    ...program,
    env: overridden(program.env, METRICS_PORT === undefined ? {} : { METRICS_PORT: String(METRICS_PORT && METRICS_PORT + n) }),
    patienceMs: DRAIN_SECONDS * 1_000 + STOP_MS,
  }));
}

const HOST = 'localhost';

/** Returns the settings for the certificate of SMTP submission on this machine; created at the first start and kept, so that programs can trust it. */
function keptCertificate({ root }: DataDir): { readonly SUBMISSION_TLS_CERT: string; readonly SUBMISSION_TLS_KEY: string } {
  const [cert, key] = [path.join(root, 'smtp-cert.pem'), path.join(root, 'smtp-key.pem')];
  if (readIfThere(cert) === null || readIfThere(key) === null) {
    const made = localCertificate(HOST);
    // A start that was killed in between makes both again: the certificate is written last.
    replaceFile(key, made.key);
    replaceFile(cert, made.cert);
  }
  return { SUBMISSION_TLS_CERT: cert, SUBMISSION_TLS_KEY: key };
}
