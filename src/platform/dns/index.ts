export { exchangesOf, createDns } from './resolver';
export type { Dns, MailExchange } from './resolver';
