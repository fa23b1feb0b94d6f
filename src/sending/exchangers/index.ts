export { exchangeBookOf, providerAt } from './book';
export type { ExchangeBook, Route } from './book';
export { providersOf } from './providers';
