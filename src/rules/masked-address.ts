/** Returns an address so that its owner recognizes it and nobody else learns it: `ada@example.com` is `a•••@example.com`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, at);
  return `${first}•••${address.slice(at)}`;
}
