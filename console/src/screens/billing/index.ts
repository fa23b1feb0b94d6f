import { CreditCard } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const BILLING: readonly Screen[] = [
  {
    ...{ path: '/billing', needs: 'read', group: 'Setup', label: 'Billing', icon: CreditCard },
    View: lazy(() => import('./billing.tsx').then(({ BillingPage }) => ({ default: BillingPage }))),
  },
];
