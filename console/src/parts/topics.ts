import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Schemas } from './api.ts';

/** Returns the topics of the project; none until they are loaded. */
export function useTopics(): readonly Schemas['Topic'][] {
  const { data = [] } = useQuery({ queryKey: ['topics', 'names'], queryFn: () => api.listTopics().toArray() });
  return data;
}
