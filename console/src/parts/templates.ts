import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Schemas } from './api.ts';

const MOST = 200;
const NONE: readonly (readonly [templateId: string, name: string])[] = [];

const namesOf = (templates: readonly Schemas['Template'][]): typeof NONE => templates.map(({ templateId, name }) => [templateId, name]);

/** Returns the newest templates of the project, as values with their names; none until they are loaded. */
export function useTemplates(): typeof NONE {
  const queryFn = () => api.listTemplates({ limit: 100 }).toArray(MOST);
  return useQuery({ queryKey: ['templates', 'names'], queryFn, select: namesOf }).data ?? NONE;
}
