import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const TOPICS: readonly Screen[] = [
  {
    ...{ path: '/topics', needs: 'read', group: 'Audience', label: 'Topics' },
    View: lazy(() => import('./topics.tsx').then(({ Topics }) => ({ default: Topics }))),
  },
];
