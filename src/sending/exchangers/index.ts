export { exchangeBookOf } from './book';
export type { ExchangeBook, Route } from './book';
export { providersOf } from './providers';
