import { ShieldCheck } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const APPROVALS: readonly Screen[] = [
  {
    ...{ path: '/approvals', needs: 'read', group: 'Overview', label: 'Approvals', icon: ShieldCheck },
    load: () => import('./approvals.tsx').then(({ Approvals }) => ({ default: Approvals })),
  },
  {
    ...{ path: '/approvals/:id', needs: 'read' },
    load: () => import('./approval.tsx').then(({ ApprovalPage }) => ({ default: ApprovalPage })),
  },
];
