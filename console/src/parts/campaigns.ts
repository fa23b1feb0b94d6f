import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Schemas } from './api.ts';

const MOST = 200;
const KEPT_MS = 60_000;

/** Returns the newest campaigns of the project; none until they are loaded. */
export function useCampaigns(): readonly Schemas['Campaign'][] {
  const { data = [] } = useQuery({
    ...{ queryKey: ['campaigns', 'names'], staleTime: KEPT_MS },
    queryFn: () => api.listCampaigns({ limit: 100 }).toArray(MOST),
  });
  return data;
}
