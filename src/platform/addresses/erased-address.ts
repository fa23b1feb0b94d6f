import { addressId } from '../core';

const FORM = /^erased_([0-9a-z]{26})@erased\.invalid$/;

/**
 * Returns the address that replaces the one of an erased person: the keyed hash from the contact's id, at a domain that cannot exist (RFC
 * 2606 2).
 */
export const erasedAddress = (contactId: string): string => `erased_${contactId.slice(contactId.indexOf('_') + 1)}@erased.invalid`;

/** Returns whether an address replaces the one of an erased person. */
export const isErasedAddress = (address: string): boolean => FORM.test(address);

/** Returns as `addressId` the id of an address that a row names: where the person was erased, the id is the one that their own address has. */
export function personId(prefix: string, salt: string, address: string): string {
  const hash = FORM.exec(address)?.[1];
  return hash === undefined ? addressId(prefix, salt, address) : `${prefix}_${hash}`;
}
