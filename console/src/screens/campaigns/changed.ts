import { useQueryClient } from '@tanstack/react-query';

/** Returns a function that reads campaigns again. */
export function useChanged(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['campaigns'] });
}
