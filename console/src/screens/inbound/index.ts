import { Inbox } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const INBOUND: readonly Screen[] = [
  {
    ...{ path: '/inbound', needs: 'read', group: 'Overview', label: 'Inbound mail', icon: Inbox },
    View: lazy(() => import('./inbound.tsx').then(({ Inbound }) => ({ default: Inbound }))),
  },
];
