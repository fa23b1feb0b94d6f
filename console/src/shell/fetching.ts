import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { matchRoutes } from 'react-router';
import { SCREENS } from '../screens/index.ts';
import type { Screen } from './screen.ts';

const ROUTES = SCREENS.map((screen) => ({ path: screen.path, handle: screen }));

/** Returns the query that fetches the code of a screen, once. A suspended part of React would stand for 300 ms, however soon the code arrives. */
export const fetching = ({ path, load }: Screen) =>
  queryOptions({
    ...{ queryKey: ['screen', path], queryFn: load, structuralSharing: false },
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY, retry: false, throwOnError: true },
  });

/** Begins to fetch the screen at a path before it is opened. If that fails, opening it tries again. */
export function prefetch(queries: QueryClient, path: string): void {
  for (const { route } of matchRoutes(ROUTES, path) ?? []) void queries.prefetchQuery(fetching(route.handle));
}
