import { Images } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const FILES: readonly Screen[] = [
  {
    ...{ path: '/files', needs: 'read', group: 'Content', label: 'Files', icon: Images },
    load: () => import('./files.tsx').then(({ Files }) => ({ default: Files })),
  },
];
