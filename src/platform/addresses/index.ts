export { MAX_ADDRESS_LENGTH, domainIn, domainOf, normalizeAddress, normalizeDomain, parseAddress } from './address';
export type { Address } from './address';
export { clientAddress, clientOf, digitsOfIPv6, networkOf } from './client-address';
export { erasedAddress, isErasedAddress, personId } from './erased-address';
export { hostNameOf, isOwnHost } from './host-name';
export { MAX_DISPLAY_NAME, parseMailbox } from './mailbox';
export type { Mailbox } from './mailbox';
