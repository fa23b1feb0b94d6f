import { languageOfTag } from '../../rules/languages';
import type { Language } from '../../rules/languages';
import type { Reads } from './reads';
import { isForbiddenName, isMissing, ownProperty } from './scalars';
import type { ContactFields, Values } from './types';

const CONTACT_NAMES: ReadonlySet<string> = new Set(['email', 'firstName', 'lastName', 'locale', 'contactId']);

function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function firstPresent(...candidates: readonly unknown[]): unknown {
  return candidates.find((candidate) => !isMissing(candidate));
}

/** Merges `data` key by key, the caller's over the contact's. Anything but an object replaces the contact's as a whole. */
function mergedData(given: unknown, own: ContactFields['data'], keys: ReadonlySet<string> | null): unknown {
  if (!isMissing(given) && (typeof given !== 'object' || Array.isArray(given))) return given;
  const merged = emptyRecord();
  for (const key of keys ?? new Set([...Object.keys(own ?? {}), ...Object.keys(given ?? {})])) {
    if (isForbiddenName(key)) continue;
    const value = firstPresent(ownProperty(given, key), ownProperty(own, key));
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** Resolves the names that a template reads: variables first, then the contact's field of the same name. Values are not copied. */
export function resolveValues(reads: Reads, variables: Values, contact: ContactFields): Values {
  const values = emptyRecord();
  for (const name of reads.names) {
    const given = ownProperty(variables, name);
    const value =
      name === 'data'
        ? mergedData(given, contact.data, reads.dataKeys)
        : firstPresent(given, CONTACT_NAMES.has(name) ? ownProperty(contact, name) : undefined);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Adds the contact's locale for the footer, where it chooses words other than the English ones. */
export function withFooterLanguage(values: Values, { locale }: ContactFields): Values {
  if (locale === null || (languageOfTag(locale) ?? 'en') === 'en') return values;
  return Object.assign(emptyRecord(), { locale }, values);
}

/** Returns the language that the footer is written in. */
export function languageOfValues({ locale }: Values): Language {
  return (typeof locale === 'string' ? languageOfTag(locale) : null) ?? 'en';
}
