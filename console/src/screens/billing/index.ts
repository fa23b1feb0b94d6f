import { CreditCard } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const BILLING: readonly Screen[] = [
  {
    ...{ path: '/billing', needs: 'read', group: 'Setup', label: 'Billing', icon: CreditCard },
    load: () => import('./billing.tsx').then(({ BillingPage }) => ({ default: BillingPage })),
  },
];
