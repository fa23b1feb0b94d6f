import { Mail } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const MAIL: readonly Screen[] = [
  {
    ...{ path: '/mail', needs: 'mail', group: 'Overview', label: 'Mail log', icon: Mail },
    load: () => import('./mail-log.tsx').then(({ MailLog }) => ({ default: MailLog })),
  },
  {
    ...{ path: '/mail/:id', needs: 'mail' },
    load: () => import('./message.tsx').then(({ Message }) => ({ default: Message })),
  },
];
