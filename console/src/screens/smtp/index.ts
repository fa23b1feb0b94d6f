import { Plug } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const SMTP: readonly Screen[] = [
  {
    ...{ path: '/smtp', needs: 'read', group: 'Setup', label: 'SMTP', icon: Plug },
    View: lazy(() => import('./smtp.tsx').then(({ Smtp }) => ({ default: Smtp }))),
  },
];
