/** Returns a display name as a contact keeps it: the first word, and the rest, in NFC. */
export function personName(name: string | null): { readonly firstName: string | null; readonly lastName: string | null } {
  const [first = '', ...rest] = (name ?? '').normalize('NFC').trim().split(/\s+/);
  return { firstName: first || null, lastName: rest.join(' ') || null };
}
