import { Languages } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const TRANSLATIONS: readonly Screen[] = [
  {
    ...{ path: '/translations', needs: 'read', group: 'Content', label: 'Translations', icon: Languages },
    View: lazy(() => import('./translations.tsx').then(({ Translations }) => ({ default: Translations }))),
  },
];
