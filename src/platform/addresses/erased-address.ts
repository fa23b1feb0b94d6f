import { addressId } from '../core';

const FORM = /^erased_([0-9a-z]{26})@erased\.invalid$/;

/** Stands for the address of a person who was erased: the keyed hash that the contact's id is made of, at a domain that is none (RFC 2606 2). */
export const erasedAddress = (contactId: string): string => `erased_${contactId.slice(contactId.indexOf('_') + 1)}@erased.invalid`;

/** Whether an address stands for a person who was erased. */
export const isErasedAddress = (address: string): boolean => FORM.test(address);

/** Returns as `addressId` the id of an address that a row names: where the person was erased, the id is the one that their own address has. */
export function personId(prefix: string, salt: string, address: string): string {
  const hash = FORM.exec(address)?.[1];
  return hash === undefined ? addressId(prefix, salt, address) : `${prefix}_${hash}`;
}
