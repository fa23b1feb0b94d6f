import { Ban } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const SUPPRESSIONS: readonly Screen[] = [
  {
    ...{ path: '/suppressions', needs: 'read', group: 'Audience', label: 'Suppressions', icon: Ban },
    load: () => import('./suppressions.tsx').then(({ Suppressions }) => ({ default: Suppressions })),
  },
  {
    ...{ path: '/suppressions/import', needs: 'change' },
    load: () => import('./import.tsx').then(({ ImportSuppressions }) => ({ default: ImportSuppressions })),
  },
];
