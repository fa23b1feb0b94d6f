import { Gauge } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const DELIVERABILITY: readonly Screen[] = [
  {
    ...{ path: '/deliverability', needs: 'read', group: 'Overview', label: 'Deliverability', icon: Gauge },
    load: () => import('./deliverability.tsx').then(({ Deliverability }) => ({ default: Deliverability })),
  },
];
