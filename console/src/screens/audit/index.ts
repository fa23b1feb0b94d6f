import { History } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const AUDIT: readonly Screen[] = [
  {
    ...{ path: '/audit', needs: 'manage', group: 'Setup', label: 'Audit', icon: History },
    View: lazy(() => import('./audit.tsx').then(({ Audit }) => ({ default: Audit }))),
  },
];
