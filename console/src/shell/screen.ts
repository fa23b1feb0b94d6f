import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Need } from '../session/session.ts';

/** The groups of the navigation, in their order. */
export const GROUPS = ['Overview', 'Audience', 'Content', 'Setup'] as const;

export interface Screen {
  readonly path: string;
  /** The permission that it needs to show anything. */
  readonly needs: Need;
  /** Fetches it; for the first time when somebody is about to open it. */
  readonly load: () => Promise<ComponentType>;
  /** Its entry in the navigation; a screen without one is linked from another. */
  readonly entry?: { readonly group: (typeof GROUPS)[number]; readonly label: string; readonly icon: LucideIcon };
}
