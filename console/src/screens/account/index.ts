import type { Screen } from '../../shell/screen.ts';

export const ACCOUNT: readonly Screen[] = [
  {
    ...{ path: '/account', needs: 'read' },
    load: () => import('./account.tsx').then(({ AccountPage }) => ({ default: AccountPage })),
  },
];
