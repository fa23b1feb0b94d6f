const MAXIMUM_LENGTH = 254;

/**
 * Returns why an address cannot go into an SMTP envelope, or null. Only printable ASCII without spaces and angle brackets passes, so an address can neither
 * end its command nor need SMTPUTF8 (RFC 6531), which is not supported. The text does not contain the address.
 */
export function envelopeFault(address: string): string | null {
  if (address.length > MAXIMUM_LENGTH) return 'the address is longer than 254 characters';
  if (/[^\x21-\x7e]/.test(address)) return 'the address has a character outside printable ASCII';
  if (/[<>]/.test(address)) return 'the address has an angle bracket';
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1 ? null : 'the address lacks a local part or a domain';
}

/** Makes an address safe for a header: drops characters that could end it or begin another one. */
export function headerAddress(address: string): string {
  return address.replace(/[^\x21-\x7e]|[<>(),;:\\"[\]]/g, '');
}
