import { Users } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const CONTACTS: readonly Screen[] = [
  {
    ...{ path: '/contacts', needs: 'read', group: 'Audience', label: 'Contacts', icon: Users },
    load: () => import('./contacts.tsx').then(({ Contacts }) => ({ default: Contacts })),
  },
  {
    ...{ path: '/contacts/import', needs: 'read' },
    load: () => import('./import.tsx').then(({ ImportPage }) => ({ default: ImportPage })),
  },
  {
    ...{ path: '/contacts/import/:id', needs: 'read' },
    load: () => import('./import-job.tsx').then(({ ImportJobPage }) => ({ default: ImportJobPage })),
  },
  {
    ...{ path: '/contacts/:id', needs: 'read' },
    load: () => import('./contact.tsx').then(({ ContactPage }) => ({ default: ContactPage })),
  },
];
