import { PLANTED } from './planted';

/** What the places of single things are made of. */
export interface Ids {
  readonly emailId: string;
  readonly contactId: string;
  readonly domainId: string;
  readonly webhookId: string;
}

type Row = readonly [name: string, place: (ids: Ids) => string, heading: string | RegExp, seen: string | RegExp];

/** Each screen, with its heading, and what is to be seen on it where scripts were planted, once all is there. */
export const SCREENS: readonly Row[] = [
  ['today', () => '/', 'Today', 'Delivered'],
  ['mail', () => '/mail', 'Mail log', PLANTED],
  ['message', ({ emailId }) => `/mail/${emailId}`, PLANTED, 'email.delivered'],
  ['contacts', () => '/contacts', 'Contacts', PLANTED],
  ['contact', ({ contactId }) => `/contacts/${contactId}`, PLANTED, 'order.placed'],
  ['suppressions', () => '/suppressions', 'Suppressions', '@example.com'],
  ['domains', () => '/domains', 'Domains', 'planted.example'],
  ['domain', ({ domainId }) => `/domains/${domainId}`, 'planted.example', 'Permitted senders (SPF)'],
  ['webhooks', () => '/webhooks', 'Webhooks', PLANTED],
  ['webhook', ({ webhookId }) => `/webhooks/${webhookId}`, /^http:/, 'email.delivered'],
];
