import type { Client } from '@temporalio/client';
import type { ServerConfig } from '../config';
import type { Core } from '../core';
import { createDns } from '../dns';
import { CallGate } from '../http-client';
import type { Logger } from '../log';
import { Secrets } from '../secrets';
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
