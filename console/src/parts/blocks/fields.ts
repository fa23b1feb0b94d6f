import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useContactFields } from '../conditions/contact-fields.ts';

export interface OfferedField {
  readonly path: string;
  readonly label: string;
  /** The type of its values. */
  readonly type: string;
}

const OWN: readonly OfferedField[] = [
  { path: 'firstName', label: 'First name', type: 'text' },
  { path: 'lastName', label: 'Last name', type: 'text' },
  { path: 'email', label: 'Email address', type: 'text' },
  { path: 'locale', label: 'Language', type: 'text' },
];

const LINKS: readonly OfferedField[] = [
  { path: 'unsubscribeUrl', label: 'Unsubscribe link', type: 'link' },
  { path: 'preferencesUrl', label: 'Preferences link', type: 'link' },
  { path: 'viewInBrowserUrl', label: 'View in browser link', type: 'link' },
  { path: 'year', label: 'Current year', type: 'number' },
];

const TYPES: Readonly<Record<string, string>> = { string: 'text', array: 'list' };

/**
 * Returns the fields that a message can show: the contact's, the ones that the platform sets, and the elements of the lists that the block repeats over.
 */
export function useOfferedFields(names: readonly string[]): readonly OfferedField[] {
  const custom = useContactFields().map(({ field, type }) => ({ path: `data.${field}`, label: field, type: TYPES[type] ?? type }));
  const elements = names.map((name) => ({ path: `${name}.name`, label: `${name}: name`, type: 'of the repeated list' }));
  return [...elements, ...OWN, ...custom, ...LINKS];
}

/** Returns the translations of the project, as a mail names them: `t "greeting"`. */
export function useOfferedTranslations(): readonly OfferedField[] {
  const { data } = useQuery({ queryKey: ['translations'], queryFn: () => api.getTranslations() });
  return Object.entries(data?.translations ?? {}).map(([key, texts]) => ({
    path: `t "${key}"`,
    label: `Translation: ${texts['default'] ?? key}`,
    type: 'translation',
  }));
}
