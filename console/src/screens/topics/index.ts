import { Tags } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const TOPICS: readonly Screen[] = [
  {
    ...{ path: '/topics', needs: 'read', group: 'Audience', label: 'Topics', icon: Tags },
    load: () => import('./topics.tsx').then(({ Topics }) => ({ default: Topics })),
  },
];
