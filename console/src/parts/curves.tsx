import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { When } from './dates.tsx';
import { count } from './numbers.ts';
import { Table } from './table.tsx';

/** A curve, in a color of its own; a dashed one is of machines. */
export interface Curve<Name extends string = string> {
  readonly name: Name;
  readonly label: string;
  readonly colour: string;
  readonly isDashed?: boolean;
  /** A line by default. Bars are drawn behind the lines, a later one within an earlier one. */
  readonly as?: 'bar';
}

type Point<Name extends string> = Readonly<Record<Name, number>> & { readonly at: string };

const HEIGHT = 260;
const DASHES = [6, 4];
/** The share of a step that a bar takes: the first one, and one within it. */
const BARS = [0.72, 0.44] as const;
const WIDEST_BAR = 60;
/** The opacity of a bar, in hexadecimal. */
const FAINT = '55';
const LABEL_GAP = 70;

const FORMATS = {
  hour: new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }),
} as const;
const EXACT = {
  hour: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' }),
} as const;

/** Returns a color of the theme, in the form that a canvas takes. */
function colourIn(element: Element, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Returns the marks of the axis of time: some of the points, so that each mark is where there is one. */
function marksOf(chart: UPlot, from: number, to: number): number[] {
  const times = (chart.data[0] as readonly number[]).filter((at) => at >= from && at <= to);
  const most = Math.max(2, Math.floor(chart.width / LABEL_GAP));
  const every = Math.ceil(times.length / most);
  return times.filter((_, at) => at % every === 0);
}

function seriesOf({ label, colour, isDashed = false, as }: Curve, at: number, element: Element): UPlot.Series {
  const stroke = colourIn(element, colour);
  const value = (_: UPlot, figure: number | null): string => (figure === null ? '' : count(figure));
  if (as !== 'bar') return { label, stroke, value, width: 2, points: { size: 5 }, ...(isDashed && { dash: DASHES }) };
  const paths = UPlot.paths.bars?.({ size: [BARS[at] ?? BARS[1], WIDEST_BAR], radius: 0.1 });
  return { label, stroke, value, width: 1, fill: withAlpha(stroke), points: { show: false }, ...(paths && { paths }) };
}

/** Returns a color of the form `rgb(r, g, b)` as one that lets the ground through. */
const withAlpha = (colour: string): string =>
  `#${(colour.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}${FAINT}`;

function draw<Name extends string>(
  element: HTMLElement,
  points: readonly Point<Name>[],
  curves: readonly Curve<Name>[],
  step: 'hour' | 'day',
): UPlot {
  const grid = { stroke: colourIn(element, '--line'), width: 1 };
  const axis = { stroke: colourIn(element, '--text-soft'), grid, ticks: grid };
  const data: UPlot.AlignedData = [
    points.map(({ at }) => Date.parse(at) / 1_000),
    ...curves.map(({ name }) => points.map((point): number => point[name])),
  ];
  const half = (step === 'hour' ? HOUR_S : DAY_S) / 2;
  const options: UPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    series: [
      { label: step === 'hour' ? 'Hour' : 'Day', value: (_, at) => (at === null ? '' : EXACT[step].format(at * 1_000)) },
      ...curves.map((curve, at) => seriesOf(curve, at, element)),
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        splits: (chart, _, from, to) => marksOf(chart, from, to),
        values: (_, times) => times.map((at) => FORMATS[step].format(at * 1_000)),
      },
      { ...axis, values: (_, figures) => figures.map((figure) => (Number.isInteger(figure) ? count(figure) : '')) },
    ],
    scales: {
      x: { range: (_, from, to) => [from - half, to + half] },
      y: { range: (_, _least, most) => [0, Math.max(most * HEADROOM, 4)] },
    },
  };
  return new UPlot(options, data, element);
}

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const HEADROOM = 1.05;

interface Props<Name extends string> {
  /** The name of the table. */
  readonly label: string;
  readonly curves: readonly Curve<Name>[];
  readonly points: readonly Point<Name>[];
  /** The length of a step. */
  readonly step: 'hour' | 'day';
  /** Shown when nothing happened. */
  readonly empty: ReactNode;
}

const Numbers = <Name extends string>({ label, curves, points, step }: Props<Name>): ReactNode => (
  <details>
    <summary>Show as a table</summary>
    <Table label={label} columns={[step === 'hour' ? 'Hour' : 'Day', ...curves.map((curve) => curve.label)]}>
      {points.map((point) => (
        <tr key={point.at}>
          <th scope="row">
            <When at={point.at} />
          </th>
          {curves.map(({ name }) => (
            <td key={name}>{count(point[name])}</td>
          ))}
        </tr>
      ))}
    </Table>
  </details>
);

/** Shows figures over time, as lines; and as numbers for people who do not see them. */
export function Curves<Name extends string>(props: Props<Name>): ReactNode {
  const { curves, points, step, empty } = props;
  const place = useRef<HTMLDivElement>(null);
  const isQuiet = points.every((point) => curves.every(({ name }) => point[name] === 0));
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let chart = draw(element, points, curves, step);
    const again = (): void => {
      chart.destroy();
      chart = draw(element, points, curves, step);
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
  }, [points, curves, step, isQuiet]);
  if (isQuiet) return empty;
  return (
    <>
      <div ref={place} aria-hidden="true" />
      <Numbers {...props} />
    </>
  );
}
