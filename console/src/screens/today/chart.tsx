import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';

type Point = Schemas['Stats']['series'][number];

/** The curves of the chart, each in a color of its own. */
export const SERIES = [
  { name: 'sent', label: 'Sent', colour: '--series-2' },
  { name: 'delivered', label: 'Delivered', colour: '--series-1' },
  { name: 'opened', label: 'Opened', colour: '--series-5' },
  { name: 'bounced', label: 'Bounced', colour: '--series-3' },
  { name: 'complained', label: 'Complained', colour: '--series-4' },
] as const;

const HEIGHT = 260;

/** Returns a color of the theme, in the form that a canvas takes. */
function colourIn(element: Element, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function draw(element: HTMLElement, points: readonly Point[]): UPlot {
  const grid = { stroke: colourIn(element, '--line'), width: 1 };
  const axis = { stroke: colourIn(element, '--text-soft'), grid, ticks: grid };
  const lines = SERIES.map(({ label, colour }) => ({ label, stroke: colourIn(element, colour), width: 2, points: { size: 5 } }));
  const data: UPlot.AlignedData = [
    points.map(({ at }) => Date.parse(at) / 1_000),
    ...SERIES.map(({ name }) => points.map((point) => point[name])),
  ];
  const options: UPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    series: [{}, ...lines],
    axes: [axis, axis],
    scales: { y: { range: (_, _least, most) => [0, Math.max(most, 4)] } },
  };
  return new UPlot(options, data, element);
}

interface Props {
  readonly series: readonly Point[];
  readonly interval: string;
}

const Numbers = ({ series, interval }: Props): ReactNode => (
  <details>
    <summary>Show as a table</summary>
    <Table label="Mail over time, as a table" columns={[interval === 'hour' ? 'Hour' : 'Day', ...SERIES.map(({ label }) => label)]}>
      {series.map((point) => (
        <tr key={point.at}>
          <th scope="row">
            <When at={point.at} />
          </th>
          {SERIES.map(({ name }) => (
            <td key={name}>{count(point[name])}</td>
          ))}
        </tr>
      ))}
    </Table>
  </details>
);

/** Shows mail over time, as lines; and as numbers for people who do not see them. */
export function Chart({ series, interval }: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const isQuiet = series.every((point) => SERIES.every(({ name }) => point[name] === 0));
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let chart = draw(element, series);
    const again = (): void => {
      chart.destroy();
      chart = draw(element, series);
    };
    const width = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    const theme = new MutationObserver(again);
    const system = matchMedia('(prefers-color-scheme: dark)');
    width.observe(element);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    system.addEventListener('change', again);
    return () => {
      width.disconnect();
      theme.disconnect();
      system.removeEventListener('change', again);
      chart.destroy();
    };
  }, [series, isQuiet]);
  if (isQuiet) {
    return (
      <Empty title="No mail in this period">
        <p>Send a message to see it here, or choose a longer period.</p>
      </Empty>
    );
  }
  return (
    <>
      <div ref={place} aria-hidden="true" />
      <Numbers series={series} interval={interval} />
    </>
  );
}
