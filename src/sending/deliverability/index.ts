export { readProviders } from './providers';
export type { ProviderFigures } from './providers';
