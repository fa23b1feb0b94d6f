import { Workflow } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const AUTOMATIONS: readonly Screen[] = [
  {
    ...{ path: '/automations', needs: 'read', group: 'Content', label: 'Automations', icon: Workflow },
    load: () => import('./automations.tsx').then(({ Automations }) => ({ default: Automations })),
  },
  {
    ...{ path: '/automations/:id', needs: 'read' },
    load: () => import('./automation.tsx').then(({ AutomationPage }) => ({ default: AutomationPage })),
  },
  {
    ...{ path: '/automations/:id/edit', needs: 'change' },
    load: () => import('./editor.tsx').then(({ EditAutomation }) => ({ default: EditAutomation })),
  },
  {
    ...{ path: '/automations/:id/rehearse', needs: 'change' },
    load: () => import('./rehearsal/rehearsal.tsx').then(({ RehearsalPage }) => ({ default: RehearsalPage })),
  },
  {
    ...{ path: '/executions/:id', needs: 'read' },
    load: () => import('./execution.tsx').then(({ ExecutionPage }) => ({ default: ExecutionPage })),
  },
];
