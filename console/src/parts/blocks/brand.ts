import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { Schemas } from '../api.ts';

const KEPT_MS = 60_000;
/** One object: what is made of a brand is made again for another one. */
const NONE: Partial<Schemas['Brand']> = {};

/** Returns the brand of the project; undefined until it is loaded, and empty where it cannot be. */
export function useBrand(): Partial<Schemas['Brand']> | undefined {
  const query = useQuery({
    queryKey: ['settings', 'brand'],
    staleTime: KEPT_MS,
    retry: false,
    queryFn: async () => (await api.getSettings()).brand,
  });
  // Not by its state: a second try after a failure is pending again, and what is written would be gone meanwhile.
  return query.data ?? (query.isFetched ? NONE : undefined);
}
