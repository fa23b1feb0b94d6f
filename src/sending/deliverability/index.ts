export { readProviders, readTransports } from './providers';
