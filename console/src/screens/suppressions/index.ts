import { Ban } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const SUPPRESSIONS: readonly Screen[] = [
  {
    ...{ path: '/suppressions', needs: 'read', group: 'Audience', label: 'Suppressions', icon: Ban },
    View: lazy(() => import('./suppressions.tsx').then(({ Suppressions }) => ({ default: Suppressions }))),
  },
  {
    ...{ path: '/suppressions/import', needs: 'change' },
    View: lazy(() => import('./import.tsx').then(({ ImportSuppressions }) => ({ default: ImportSuppressions }))),
  },
];
