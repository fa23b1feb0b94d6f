import type { ReactNode } from 'react';
import { TextField } from './fields.tsx';
import { ownZone } from './zone-field.tsx';

interface DaysProps {
  /** The first and the last day, as the address has them; empty where that end is open. */
  readonly filters: { readonly from: string; readonly until: string };
  readonly setFilter: (name: 'from' | 'until', day: string) => void;
}

/** Shows the range of days of a list, in the time zone of the reader's clock, which it names. */
export const DayFields = ({ filters: { from, until }, setFilter }: DaysProps): ReactNode => (
  <>
    <TextField label="From day" type="date" value={from} max={until} change={(day) => setFilter('from', day)} />
    <TextField
      label="To day"
      type="date"
      value={until}
      min={from}
      change={(day) => setFilter('until', day)}
      hint={`Days in ${ownZone()}`}
    />
  </>
);
