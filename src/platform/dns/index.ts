export { exchangesOf } from './exchanges';
export { createDns } from './resolver';
export type { Dns, MailExchange } from './resolver';
