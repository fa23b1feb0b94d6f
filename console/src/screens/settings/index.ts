import { Settings } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const SETTINGS: readonly Screen[] = [
  {
    ...{ path: '/settings', needs: 'read', group: 'Setup', label: 'Settings', icon: Settings },
    load: () => import('./settings.tsx').then(({ SettingsPage }) => ({ default: SettingsPage })),
  },
];
