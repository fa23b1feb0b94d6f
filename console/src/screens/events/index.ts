import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const EVENTS: readonly Screen[] = [
  {
    ...{ path: '/events', needs: 'read', group: 'Audience', label: 'Events' },
    View: lazy(() => import('./events.tsx').then(({ Events }) => ({ default: Events }))),
  },
];
