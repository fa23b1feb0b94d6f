export {
  MAX_ADDRESS_LENGTH,
  domainIn,
  domainOf,
  normalizeAddress,
  normalizeDomain,
  parseAddress,
  hostNameOf,
  isOwnHost,
  erasedAddress,
  isErasedAddress,
  personId,
} from './address';
export type { Address } from './address';
export { clientAddress, clientOf, digitsOfIPv6, networkOf } from './client-address';
export { MAX_DISPLAY_NAME, parseMailbox } from './mailbox';
export type { Mailbox } from './mailbox';
