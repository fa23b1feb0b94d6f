import type { ReactNode } from 'react';
import { ChoiceField, TextField } from './fields.tsx';

export interface Span {
  readonly amount: number;
  readonly unit: string;
}

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks'];

interface SpanProps {
  readonly label: string;
  readonly span: Span;
  readonly change: (span: Span) => void;
  /** Label of the unit, where a form has several spans. */
  readonly unitLabel?: string;
  readonly units?: readonly string[];
  /** Takes whole numbers from 1 on. */
  readonly isWhole?: boolean;
}

/** Shows a span of time. */
export const SpanFields = ({ label, span, change, unitLabel = 'Unit', units = UNITS, isWhole = false }: SpanProps): ReactNode => (
  <>
    <TextField
      label={label}
      type="number"
      min={isWhole ? 1 : 0}
      step={isWhole ? 1 : 'any'}
      required
      value={String(span.amount)}
      change={(amount) => change({ ...span, amount: Number(amount) })}
    />
    <ChoiceField
      label={unitLabel}
      value={span.unit}
      options={units.map((unit) => [unit, unit] as const)}
      change={(unit) => change({ ...span, unit })}
    />
  </>
);

/** Returns a span in words: "7 days", "1 day". */
export const spanWords = ({ amount, unit }: Span): string => `${amount} ${amount === 1 ? unit.replace(/s$/, '') : unit}`;
