import { History } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const AUDIT: readonly Screen[] = [
  {
    ...{ path: '/audit', needs: 'manage', group: 'Setup', label: 'Audit', icon: History },
    load: () => import('./audit.tsx').then(({ Audit }) => ({ default: Audit })),
  },
];
