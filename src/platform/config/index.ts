export { DEFAULT_UI_PORT, badConfiguration, describeConfig, loadConfig, loadServerConfig, wantsTraces } from './config';
export type { Config, ServerConfig } from './config';
export { VERSION } from './version';
export { warnOfStrays } from './warn-strays';
export { API_FLAGS, THREAD_FLAGS, WORKER_ENVIRONMENT, WORKER_FLAGS } from './process-flags';
