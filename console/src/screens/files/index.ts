import { Images } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const FILES: readonly Screen[] = [
  {
    ...{ path: '/files', needs: 'read', group: 'Content', label: 'Files', icon: Images },
    View: lazy(() => import('./files.tsx').then(({ Files }) => ({ default: Files }))),
  },
];
