import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const ACCOUNT: readonly Screen[] = [
  {
    ...{ path: '/account', needs: 'read' },
    View: lazy(() => import('./account.tsx').then(({ AccountPage }) => ({ default: AccountPage }))),
  },
];
