import { Webhook } from 'lucide-react';
import { lazy } from 'react';
import type { Screen } from '../../shell/screen.ts';

export const WEBHOOKS: readonly Screen[] = [
  {
    ...{ path: '/webhooks', needs: 'read', group: 'Setup', label: 'Webhooks', icon: Webhook },
    View: lazy(() => import('./webhooks.tsx').then(({ Webhooks }) => ({ default: Webhooks }))),
  },
  {
    ...{ path: '/webhooks/:id', needs: 'read' },
    View: lazy(() => import('./webhook.tsx').then(({ WebhookPage }) => ({ default: WebhookPage }))),
  },
  {
    ...{ path: '/webhooks/:id/deliveries/:deliveryId', needs: 'read' },
    View: lazy(() => import('./delivery.tsx').then(({ DeliveryPage }) => ({ default: DeliveryPage }))),
  },
];
