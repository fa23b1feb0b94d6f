import { Webhook } from 'lucide-react';
import type { Screen } from '../../shell/screen.ts';

export const WEBHOOKS: readonly Screen[] = [
  {
    ...{ path: '/webhooks', needs: 'read', group: 'Setup', label: 'Webhooks', icon: Webhook },
    load: () => import('./webhooks.tsx').then(({ Webhooks }) => ({ default: Webhooks })),
  },
  {
    ...{ path: '/webhooks/:id', needs: 'read' },
    load: () => import('./webhook.tsx').then(({ WebhookPage }) => ({ default: WebhookPage })),
  },
  {
    ...{ path: '/webhooks/:id/deliveries/:deliveryId', needs: 'read' },
    load: () => import('./delivery.tsx').then(({ DeliveryPage }) => ({ default: DeliveryPage })),
  },
];
