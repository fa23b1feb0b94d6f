import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Curves } from '../../parts/curves.tsx';
import { Empty } from '../../parts/states.tsx';

/** The curves of the chart, each in a color of its own. */
export const SERIES = [
  { name: 'sent', label: 'Sent', colour: '--series-2', as: 'bar' },
  { name: 'delivered', label: 'Delivered', colour: '--series-1', as: 'bar' },
  { name: 'opened', label: 'Opened', colour: '--series-5' },
  { name: 'clicked', label: 'Clicked', colour: '--series-6' },
  { name: 'bounced', label: 'Bounced', colour: '--series-3' },
  { name: 'complained', label: 'Complained', colour: '--series-4' },
] as const;

interface Props {
  readonly series: Schemas['Stats']['series'];
  readonly interval: 'hour' | 'day';
}

/** Shows the project's mail over time. */
export const Chart = ({ series, interval }: Props): ReactNode => (
  <Curves
    label="Mail over time, as a table"
    curves={SERIES}
    points={series}
    step={interval}
    empty={
      <Empty title="No mail in this period">
        <p>Send a message to see it here, or choose a longer period.</p>
      </Empty>
    }
  />
);
