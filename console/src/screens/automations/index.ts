import { Workflow } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const AUTOMATIONS: readonly Screen[] = [
  {
    ...{ path: '/automations', needs: 'read', group: 'Content', label: 'Automations', icon: Workflow },
    View: lazy(() => import('./automations.tsx').then(({ Automations }) => ({ default: Automations }))),
  },
  {
    ...{ path: '/automations/:id', needs: 'read' },
    View: lazy(() => import('./automation.tsx').then(({ AutomationPage }) => ({ default: AutomationPage }))),
  },
  {
    ...{ path: '/automations/:id/edit', needs: 'change' },
    View: lazy(() => import('./editor.tsx').then(({ EditAutomation }) => ({ default: EditAutomation }))),
  },
  {
    ...{ path: '/automations/:id/rehearse', needs: 'change' },
    View: lazy(() => import('./rehearsal/rehearsal.tsx').then(({ RehearsalPage }) => ({ default: RehearsalPage }))),
  },
  {
    ...{ path: '/executions/:id', needs: 'read' },
    View: lazy(() => import('./execution.tsx').then(({ ExecutionPage }) => ({ default: ExecutionPage }))),
  },
];
