import type { ReactNode } from 'react';
import { ChoiceField, TextField } from '../../../parts/fields.tsx';

export interface Span {
  readonly amount: number;
  readonly unit: string;
}

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks'].map((unit) => [unit, unit] as const);

interface SpanProps {
  readonly label: string;
  readonly span: Span;
  readonly change: (span: Span) => void;
}

/** A span of time. */
export const SpanFields = ({ label, span, change }: SpanProps): ReactNode => (
  <>
    <TextField
      label={label}
      type="number"
      min={0}
      step="any"
      required
      value={String(span.amount)}
      change={(amount) => change({ ...span, amount: Number(amount) })}
    />
    <ChoiceField label="Unit" value={span.unit} options={UNITS} change={(unit) => change({ ...span, unit })} />
  </>
);
