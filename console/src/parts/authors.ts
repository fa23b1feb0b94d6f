import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** Returns the members of the project as authors of changes, each with the name or address; none until they are loaded. */
export function usePersons(): readonly (readonly [by: string, name: string])[] {
  const { data = [] } = useQuery({ queryKey: ['members', 'names'], queryFn: () => api.listMembers().toArray() });
  return data.map(({ personId, name, address }) => [`person ${personId}`, name ?? address]);
}

/** Returns an author's name: of a person the name or address, of any other what the audit has. */
export function useAuthorName(): (by: string) => string {
  const names = new Map(usePersons());
  return (by) => names.get(by) ?? by;
}
