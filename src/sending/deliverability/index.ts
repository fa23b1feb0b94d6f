export { readProviders } from './providers';
export { readTransports } from './transports';
