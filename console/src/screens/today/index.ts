import { House } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const TODAY: readonly Screen[] = [
  {
    ...{ path: '/', needs: 'read', group: 'Overview', label: 'Home', icon: House },
    load: () => import('./today.tsx').then(({ Today }) => ({ default: Today })),
  },
];
