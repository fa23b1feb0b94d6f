import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { matchRoutes } from 'react-router';
import { SCREENS } from '../screens/index.ts';
import type { Screen } from './screen.ts';

const ROUTES = SCREENS.map((screen) => ({ path: screen.path, handle: screen }));

/** Returns the query that fetches the code of a screen, once. `lazy` would show its fallback for at least 300 ms, however soon the code arrives. */
export const fetching = ({ path, load }: Screen) =>
  queryOptions({
    queryKey: ['screen', path],
    queryFn: load,
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
  });

/** Begins to fetch the screen at a path before it is opened. A failure is shown when it is. */
export function prefetch(queries: QueryClient, path: string): void {
  for (const { route } of matchRoutes(ROUTES, path) ?? []) void queries.prefetchQuery(fetching(route.handle));
}
