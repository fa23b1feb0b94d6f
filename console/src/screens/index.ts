import { lazy } from 'react';
import type { ComponentType } from 'react';
import type { Need } from '../session/session.ts';

/** The groups of the navigation, in their order. */
export const GROUPS = ['Overview', 'People', 'Content', 'Set-up'] as const;

export interface Screen {
  readonly path: string;
  /** What it needs of the session to show anything. */
  readonly needs: Need;
  readonly View: ComponentType;
  /** Where it stands in the navigation; a screen without one is reached from another. */
  readonly group?: (typeof GROUPS)[number];
  readonly label?: string;
}

/** Every screen. Each is a folder of its own, fetched when it is first opened. */
export const SCREENS: readonly Screen[] = [
  {
    ...{ path: '/', needs: 'read', group: 'Overview', label: 'Today' },
    View: lazy(() => import('./today/today.tsx').then(({ Today }) => ({ default: Today }))),
  },
  {
    ...{ path: '/mail', needs: 'mail', group: 'Overview', label: 'Mail log' },
    View: lazy(() => import('./mail/mail-log.tsx').then(({ MailLog }) => ({ default: MailLog }))),
  },
  {
    ...{ path: '/mail/:id', needs: 'mail' },
    View: lazy(() => import('./mail/message.tsx').then(({ Message }) => ({ default: Message }))),
  },
  {
    ...{ path: '/contacts', needs: 'read', group: 'People', label: 'Contacts' },
    View: lazy(() => import('./contacts/contacts.tsx').then(({ Contacts }) => ({ default: Contacts }))),
  },
  {
    ...{ path: '/contacts/:id', needs: 'read' },
    View: lazy(() => import('./contacts/contact.tsx').then(({ ContactPage }) => ({ default: ContactPage }))),
  },
  {
    ...{ path: '/suppressions', needs: 'read', group: 'People', label: 'Suppressions' },
    View: lazy(() => import('./suppressions/suppressions.tsx').then(({ Suppressions }) => ({ default: Suppressions }))),
  },
  {
    ...{ path: '/domains', needs: 'read', group: 'Set-up', label: 'Domains' },
    View: lazy(() => import('./domains/domains.tsx').then(({ Domains }) => ({ default: Domains }))),
  },
  {
    ...{ path: '/domains/:id', needs: 'read' },
    View: lazy(() => import('./domains/domain.tsx').then(({ DomainPage }) => ({ default: DomainPage }))),
  },
  {
    ...{ path: '/webhooks', needs: 'read', group: 'Set-up', label: 'Webhooks' },
    View: lazy(() => import('./webhooks/webhooks.tsx').then(({ Webhooks }) => ({ default: Webhooks }))),
  },
  {
    ...{ path: '/webhooks/:id', needs: 'read' },
    View: lazy(() => import('./webhooks/webhook.tsx').then(({ WebhookPage }) => ({ default: WebhookPage }))),
  },
];
