import { LayoutTemplate } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const TEMPLATES: readonly Screen[] = [
  {
    ...{ path: '/templates', needs: 'read', group: 'Content', label: 'Templates', icon: LayoutTemplate },
    View: lazy(() => import('./templates.tsx').then(({ Templates }) => ({ default: Templates }))),
  },
  {
    ...{ path: '/templates/start', needs: 'change' },
    View: lazy(() => import('./template.tsx').then(({ StartTemplate }) => ({ default: StartTemplate }))),
  },
  {
    ...{ path: '/templates/new', needs: 'change' },
    View: lazy(() => import('./template.tsx').then(({ NewTemplate }) => ({ default: NewTemplate }))),
  },
  {
    ...{ path: '/templates/:id', needs: 'read' },
    View: lazy(() => import('./template.tsx').then(({ TemplatePage }) => ({ default: TemplatePage }))),
  },
];
