import { Plug } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const SMTP: readonly Screen[] = [
  {
    ...{ path: '/smtp', needs: 'read', group: 'Setup', label: 'SMTP', icon: Plug },
    load: () => import('./smtp.tsx').then(({ Smtp }) => ({ default: Smtp })),
  },
];
