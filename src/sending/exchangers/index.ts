export { exchangeBookOf, providerAt, providersOf } from './book';
export type { ExchangeBook, Route } from './book';
