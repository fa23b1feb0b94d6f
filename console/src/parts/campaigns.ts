import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

const MOST = 200;
const KEPT_MS = 60_000;

/** Reads the newest campaigns of the project. */
export const useCampaigns = () =>
  useQuery({
    queryKey: ['campaigns', 'names'],
    staleTime: KEPT_MS,
    queryFn: () => api.listCampaigns({ limit: 100 }).toArray(MOST),
  });
