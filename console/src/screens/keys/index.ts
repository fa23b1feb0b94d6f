import { KeyRound } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const KEYS: readonly Screen[] = [
  {
    ...{ path: '/keys', needs: 'read', group: 'Setup', label: 'Keys', icon: KeyRound },
    load: () => import('./keys.tsx').then(({ Keys }) => ({ default: Keys })),
  },
];
