import { ClipboardPen } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const FORMS: readonly Screen[] = [
  {
    ...{ path: '/forms', needs: 'read', group: 'Audience', label: 'Forms', icon: ClipboardPen },
    load: () => import('./forms.tsx').then(({ Forms }) => ({ default: Forms })),
  },
  {
    ...{ path: '/forms/new', needs: 'change' },
    load: () => import('./editor.tsx').then(({ NewForm }) => ({ default: NewForm })),
  },
  {
    ...{ path: '/forms/:id', needs: 'read' },
    load: () => import('./form.tsx').then(({ FormPage }) => ({ default: FormPage })),
  },
  {
    ...{ path: '/forms/:id/edit', needs: 'change' },
    load: () => import('./editor.tsx').then(({ EditForm }) => ({ default: EditForm })),
  },
];
