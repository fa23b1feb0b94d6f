import { Globe } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const DOMAINS: readonly Screen[] = [
  {
    ...{ path: '/domains', needs: 'read', group: 'Setup', label: 'Domains', icon: Globe },
    load: () => import('./domains.tsx').then(({ Domains }) => ({ default: Domains })),
  },
  {
    ...{ path: '/domains/:id', needs: 'read' },
    load: () => import('./domain.tsx').then(({ DomainPage }) => ({ default: DomainPage })),
  },
];
