import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { useSettled } from './settled.ts';

const LATEST = 10;
const KEPT_MS = 60_000;

/** Returns the names in the data of an event, as the latest events of that name have them; none until they are loaded. */
export function useEventMembers(event: string): readonly string[] {
  const name = useSettled(event.trim());
  const { data } = useQuery({
    queryKey: ['event-members', name],
    staleTime: KEPT_MS,
    enabled: name !== '',
    queryFn: () => api.listEvents({ name, limit: LATEST }).page(),
  });
  return [...new Set((data?.rows ?? []).flatMap((row) => Object.keys(row.data ?? {})))];
}
