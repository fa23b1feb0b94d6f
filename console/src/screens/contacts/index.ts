import { Users } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const CONTACTS: readonly Screen[] = [
  {
    ...{ path: '/contacts', needs: 'read', group: 'Audience', label: 'Contacts', icon: Users },
    View: lazy(() => import('./contacts.tsx').then(({ Contacts }) => ({ default: Contacts }))),
  },
  {
    ...{ path: '/contacts/import', needs: 'read' },
    View: lazy(() => import('./import.tsx').then(({ ImportPage }) => ({ default: ImportPage }))),
  },
  {
    ...{ path: '/contacts/import/:id', needs: 'read' },
    View: lazy(() => import('./import-job.tsx').then(({ ImportJobPage }) => ({ default: ImportJobPage }))),
  },
  {
    ...{ path: '/contacts/:id', needs: 'read' },
    View: lazy(() => import('./contact.tsx').then(({ ContactPage }) => ({ default: ContactPage }))),
  },
];
