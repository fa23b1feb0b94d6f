import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';

type State = Schemas['Approval']['state'];

const TONES = {
  pending: 'warn',
  approved: 'good',
  executed: 'good',
  rejected: 'plain',
  expired: 'plain',
  failed: 'bad',
  void: 'bad',
} as const satisfies Record<State, string>;

/** Shows the state of an approval. */
export const ApprovalState = ({ state }: { readonly state: State }): ReactNode => <Badge of={state} tone={TONES[state]} />;
