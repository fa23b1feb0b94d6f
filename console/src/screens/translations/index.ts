import { Languages } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const TRANSLATIONS: readonly Screen[] = [
  {
    ...{ path: '/translations', needs: 'read', group: 'Content', label: 'Translations', icon: Languages },
    load: () => import('./translations.tsx').then(({ Translations }) => ({ default: Translations })),
  },
];
