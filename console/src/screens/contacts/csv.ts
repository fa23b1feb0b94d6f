import { ADDRESS_HEADERS, normal } from '../../parts/read-csv.ts';
import type { FoundColumn } from '../../parts/read-csv.ts';

const KNOWN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ADDRESS_HEADERS.map((header) => [header, 'email'])),
  firstname: 'firstName',
  givenname: 'firstName',
  lastname: 'lastName',
  surname: 'lastName',
  familyname: 'lastName',
  locale: 'locale',
  language: 'locale',
  timezone: 'timezone',
  subscribed: 'subscribed',
  createdat: '-',
  updatedat: '-',
  contactid: '-',
  projectid: '-',
};

/** Returns a name that a custom field can have, made of a header. */
const fieldNameOf = (header: string): string =>
  header
    .replace(/^data\./, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^[^A-Za-z_]+|_+$/g, '')
    .slice(0, 64);

/** Returns the probable field of each column, by the import's names: each member once, the others as custom fields. */
export function guessed(columns: readonly FoundColumn[]): readonly string[] {
  const taken = new Set<string>();
  return columns.map(({ header }) => {
    const known = KNOWN[normal(header)];
    const field = fieldNameOf(header);
    const guess = known ?? (field === '' ? '-' : `data.${field}`);
    if (guess === '-' || taken.has(guess)) return '-';
    taken.add(guess);
    return guess;
  });
}
