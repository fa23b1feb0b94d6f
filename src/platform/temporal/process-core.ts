import type { Client } from '@temporalio/client';
import type { ServerConfig } from '../config/config';
import type { Core } from '../core/context';
import { createDns } from '../dns/resolver';
import { CallGate } from '../http-client/gate';
import type { Logger } from '../log/log';
import { Secrets } from '../secrets/secrets';
import { createProcesses } from './processes';

/** Returns what a process on given servers has one of. */
export const processCore = (config: ServerConfig, log: Logger, temporal: Client): Core => ({
  config,
  log,
  secrets: new Secrets(config.APP_SECRET),
  processes: createProcesses(temporal),
  dns: createDns(config.DNS_SERVERS),
  calls: new CallGate(log),
});
