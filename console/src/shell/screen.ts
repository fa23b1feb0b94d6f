import type { ComponentType } from 'react';
import type { Need } from '../session/session.ts';

/** The groups of the navigation, in their order. */
export const GROUPS = ['Overview', 'Audience', 'Content', 'Setup'] as const;

export interface Screen {
  readonly path: string;
  /** What it needs of the session to show anything. */
  readonly needs: Need;
  /** Fetched when it is first opened. */
  readonly View: ComponentType;
  /** Where it stands in the navigation; a screen without one is reached from another. */
  readonly group?: (typeof GROUPS)[number];
  readonly label?: string;
}
