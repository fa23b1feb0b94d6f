import { Activity } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const EVENTS: readonly Screen[] = [
  {
    ...{ path: '/events', needs: 'read', group: 'Audience', label: 'Events', icon: Activity },
    load: () => import('./events.tsx').then(({ Events }) => ({ default: Events })),
  },
];
