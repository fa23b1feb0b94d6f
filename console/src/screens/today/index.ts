import { House } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const TODAY: readonly Screen[] = [
  {
    ...{ path: '/', needs: 'read', group: 'Overview', label: 'Home', icon: House },
    View: lazy(() => import('./today.tsx').then(({ Today }) => ({ default: Today }))),
  },
];
