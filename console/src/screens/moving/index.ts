import { Import } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const MOVING: readonly Screen[] = [
  {
    ...{ path: '/moving', needs: 'change', group: 'Setup', label: 'Import', icon: Import },
    load: () => import('./moving.tsx').then(({ Moving }) => ({ default: Moving })),
  },
];
