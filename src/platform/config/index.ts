export { DEFAULT_UI_PORT, badConfiguration, describeConfig, loadConfig, loadServerConfig, readCount, wantsTraces } from './config';
export type { Config, ServerConfig } from './config';
export type { TransportSettings } from './transport-settings';
export { introduce, VERSION, releaseOf, API_FLAGS, THREAD_FLAGS, WORKER_ENVIRONMENT, WORKER_FLAGS } from './introduce';
