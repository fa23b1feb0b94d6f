import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

const MOST = 200;

/** Returns the newest templates of the project, as values with their names; none until they are loaded. */
export function useTemplates(): readonly (readonly [templateId: string, name: string])[] {
  const { data = [] } = useQuery({ queryKey: ['templates', 'names'], queryFn: () => api.listTemplates({ limit: 100 }).toArray(MOST) });
  return data.map(({ templateId, name }) => [templateId, name]);
}
