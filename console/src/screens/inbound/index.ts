import { Inbox } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const INBOUND: readonly Screen[] = [
  {
    ...{ path: '/inbound', needs: 'read', group: 'Overview', label: 'Inbound mail', icon: Inbox },
    load: () => import('./inbound.tsx').then(({ Inbound }) => ({ default: Inbound })),
  },
];
