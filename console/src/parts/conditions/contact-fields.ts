import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { Schemas } from '../api.ts';
import { subjectOf } from './language.ts';

const MOST = 200;
const KEPT_MS = 60_000;

/** Returns the custom fields of the project's contacts, with the types of their values; none until they are loaded. */
export function useContactFields(): readonly Schemas['ContactField'][] {
  const { data = [] } = useQuery({
    queryKey: ['contact-fields'],
    staleTime: KEPT_MS,
    queryFn: () => api.listContactFields().toArray(MOST),
  });
  return data;
}

/** Tells the type that the values of a condition's field have; undefined for what is no custom field that a contact has. */
export function useFieldTypes(): (field: string) => string | undefined {
  const fields = useContactFields();
  return (field) => {
    const [subject, name] = subjectOf(field);
    return subject === 'data' ? fields.find((known) => known.field === name)?.type : undefined;
  };
}
