import { Gauge } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const DELIVERABILITY: readonly Screen[] = [
  {
    ...{ path: '/deliverability', needs: 'read', group: 'Overview', label: 'Deliverability', icon: Gauge },
    View: lazy(() => import('./deliverability.tsx').then(({ Deliverability }) => ({ default: Deliverability }))),
  },
];
