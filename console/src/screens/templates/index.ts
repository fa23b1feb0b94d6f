import { LayoutTemplate } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const TEMPLATES: readonly Screen[] = [
  {
    ...{ path: '/templates', needs: 'read', group: 'Content', label: 'Templates', icon: LayoutTemplate },
    load: () => import('./templates.tsx').then(({ Templates }) => ({ default: Templates })),
  },
  {
    ...{ path: '/templates/start', needs: 'change' },
    load: () => import('./template.tsx').then(({ StartTemplate }) => ({ default: StartTemplate })),
  },
  {
    ...{ path: '/templates/new', needs: 'change' },
    load: () => import('./template.tsx').then(({ NewTemplate }) => ({ default: NewTemplate })),
  },
  {
    ...{ path: '/templates/:id', needs: 'read' },
    load: () => import('./template.tsx').then(({ TemplatePage }) => ({ default: TemplatePage })),
  },
];
