import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';

type Form = Schemas['Form'];

const HELD: Readonly<Record<NonNullable<Form['heldReason']>, string>> = {
  burst: 'many times its usual sign-ups',
  manual: 'held manually',
};

/** Shows whether a form accepts sign-ups, and why not. */
export const State = ({ form: { state, heldReason } }: { readonly form: Form }): ReactNode => (
  <>
    <Badge of={state} tone={state === 'open' ? 'good' : 'warn'} /> <span className="reason">{heldReason && HELD[heldReason]}</span>
  </>
);
