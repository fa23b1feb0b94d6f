import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider, createBrowserRouter } from 'react-router';
import { ApiError } from './parts/api.ts';
import { SessionGate } from './session/gate.tsx';
import { prefetch } from './shell/fetching.ts';
import { applyTheme } from './shell/theme.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';

/** Does not retry what the API has refused: it would refuse it again. */
const mayTryAgain = (failures: number, error: unknown): boolean => failures < 2 && !(error instanceof ApiError && error.status < 500);

const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: mayTryAgain }, mutations: { retry: false } } });

const BASE = '/console';

applyTheme();
const router = createBrowserRouter([{ path: '*', element: <SessionGate /> }], { basename: BASE });
prefetch(queries, location.pathname.slice(BASE.length) || '/');
const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}
