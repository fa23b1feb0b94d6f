import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { Schemas } from '../api.ts';

/** A campaign that may send a feed. */
export type Fed = Pick<Schemas['Campaign'], 'campaignId' | 'feed' | 'turns'>;

/** Reads what the next turn of a campaign would send of its feed. */
export const useOutlook = ({ campaignId, feed, turns = 0 }: Fed) =>
  useQuery({
    queryKey: ['campaigns', campaignId, 'feed', turns, feed],
    queryFn: () => api.getCampaignFeed(campaignId),
    enabled: feed !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Returns what a preview of a campaign reads under `feed`: what its next turn would send. */
export function useFeedValues(campaign: Fed): Readonly<Record<string, unknown>> {
  const { data } = useOutlook(campaign);
  return data ? { feed: { title: data.title, items: data.items } } : {};
}
