import type { Config } from '../../platform/config';
import { keptSecret } from './data-dir';
import type { DataDir } from './data-dir';
import { childEnvironment } from '../../platform/config';

export interface PartAddresses {
  readonly api: number;
  readonly inbound: number;
  readonly mongodbUri: string;
  readonly temporal: number;
  readonly temporalUi: number;
  readonly sinkSmtp: number;
  readonly sinkHttp: number;
}

/** Returns the environment of api, worker and smtp: what was given to us, and what the embedded default puts in the place of what was not. */
export function partEnvironment(config: Config, dir: DataDir, at: PartAddresses): Record<string, string> {
  const ours = {
    MONGODB_URI: at.mongodbUri,
    TEMPORAL_ADDRESS: `127.0.0.1:${at.temporal}`,
    ...(config.TEMPORAL_ADDRESS === undefined && { TEMPORAL_UI_URL: `http://localhost:${at.temporalUi}` }),
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    INBOUND_TLS_SELF_SIGNED: 'true',
    ...(config.NODE_ENV !== 'production' && { DEV_VERIFIED_DOMAINS: 'hello.test', DEV_PROJECT_DOMAINS: 'hello.test' }),
    ...(!config.SMTP_URL && { SMTP_URL: `smtp://127.0.0.1:${at.sinkSmtp}/?tls=off`, DEV_INBOX_URL: `http://127.0.0.1:${at.sinkHttp}` }),
    ...(!config.APP_SECRET && { APP_SECRET: keptSecret(dir) }),
  };
  return childEnvironment(ours, { PORT: String(at.api), INBOUND_SMTP_PORT: String(at.inbound) });
}

/** What runs beside the servers, one of each. */
export const CODE_PARTS = ['api', 'worker', 'smtp'] as const;

export type CodePart = (typeof CODE_PARTS)[number];

/** Returns where a part answers its operators: here each needs a port of its own, and they follow one another. */
export const metricsPortOf = (first: number, part: CodePart): number => first && first + CODE_PARTS.indexOf(part);

/** Returns the environment of one part. */
export const environmentOf = (part: CodePart, config: Config, shared: Readonly<Record<string, string>>): Record<string, string> => ({
  ...shared,
  ...(config.METRICS_PORT !== undefined && { METRICS_PORT: String(metricsPortOf(config.METRICS_PORT, part)) }),
});
