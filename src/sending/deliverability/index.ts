export { readProviders } from './providers';
