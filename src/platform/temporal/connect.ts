import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';
import type { Config, ServerConfig } from '../config';
import { tracing } from '../tracing';
import { certificateIn, keyPairIn, readNamed, Secrets } from '../secrets';
import type { Core } from '../core';
import { createDns } from '../dns';
import { CallGate } from '../http-client';
import type { Logger } from '../log';
import { createProcesses } from './processes';

type Files = 'TEMPORAL_TLS_CA' | 'TEMPORAL_TLS_CERT' | 'TEMPORAL_TLS_KEY';

/** Settings for the connection to Temporal. */
export type TemporalSettings = Partial<Pick<Config, Files | 'TEMPORAL_TLS' | 'TEMPORAL_TLS_SERVER_NAME' | 'TEMPORAL_API_KEY'>> & {
  readonly TEMPORAL_ADDRESS: string;
};

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type TlsSettings = Exclude<NonNullable<ConnectionOptions['tls']>, boolean>;

/** Returns what clients and workers connect by. Reads the files that are named; throws a sentence where one is not what it should be. */
export function temporalConnection(settings: TemporalSettings): {
  readonly address: string;
  readonly tls?: TlsSettings;
  readonly apiKey?: string;
} {
  const { TEMPORAL_ADDRESS, TEMPORAL_API_KEY } = settings;
  return {
    address: TEMPORAL_ADDRESS,
    ...(settings.TEMPORAL_TLS === true && { tls: tlsOf(settings) }),
    ...(TEMPORAL_API_KEY !== undefined && { apiKey: TEMPORAL_API_KEY }),
  };
}

function tlsOf({ TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY, TEMPORAL_TLS_SERVER_NAME }: TemporalSettings): TlsSettings {
  return {
    ...(TEMPORAL_TLS_SERVER_NAME !== undefined && { serverNameOverride: TEMPORAL_TLS_SERVER_NAME }),
    ...(TEMPORAL_TLS_CA !== undefined && { serverRootCACertificate: authorityIn(TEMPORAL_TLS_CA) }),
    ...(TEMPORAL_TLS_CERT !== undefined &&
      TEMPORAL_TLS_KEY !== undefined && { clientCertPair: clientPair(TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY) }),
  };
}

function authorityIn(file: string): Buffer {
  const pem = readNamed({ setting: 'TEMPORAL_TLS_CA', file });
  certificateIn('TEMPORAL_TLS_CA', pem);
  return pem;
}

function clientPair(certFile: string, keyFile: string): { readonly crt: Buffer; readonly key: Buffer } {
  const { cert, key } = keyPairIn({ setting: 'TEMPORAL_TLS_CERT', file: certFile }, { setting: 'TEMPORAL_TLS_KEY', file: keyFile });
  return { crt: cert, key };
}

/** Time limit of a call in milliseconds, with its retries. Calls at process start have no limit. */
const LIMITS: readonly (readonly [RegExp, number])[] = [
  [/DescribeNamespace$/, 2_000],
  [/WorkflowExecutions?$/, 5_000],
  [/(MultiOperation|WorkflowExecutionUpdate)$/, 8_000],
];

/** Ends calls by their method. */
const inTime: Interceptor = (options, nextCall) => {
  const [, limit] = LIMITS.find(([method]) => method.test(options.method_definition.path)) ?? [];
  return nextCall(limit === undefined ? options : { ...options, deadline: Date.now() + limit }) as ReturnType<Interceptor>;
};

/**
 * Resolves to a client that connects when it is first used, so that a process starts, and takes requests, while Temporal is unavailable.
 * Throws as `temporalConnection` does.
 */
export function connectTemporal(config: Pick<Config, 'TEMPORAL_NAMESPACE'> & TemporalSettings): Client {
  const connection = Connection.lazy({
    ...temporalConnection(config),
    interceptors: [inTime, makeGrpcRetryInterceptor(defaultGrpcRetryOptions())],
  });
  return new Client({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    ...tracing()?.clientOptions,
  });
}

/** Resolves to whether Temporal answers within two seconds. */
export async function temporalAnswers(client: Client): Promise<boolean> {
  try {
    await client.workflowService.describeNamespace({ namespace: client.options.namespace });
    return true;
  } catch {
    return false;
  }
}

/** Returns what a process on given servers has one of. */
export const processCore = (config: ServerConfig, log: Logger, temporal: Client): Core => ({
  config,
  log,
  secrets: new Secrets(config.APP_SECRET),
  processes: createProcesses(temporal),
  dns: createDns(config.DNS_SERVERS),
  calls: new CallGate(log),
});
