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
}

type Point<Name extends string> = Readonly<Record<Name, number>> & { readonly at: string };

const HEIGHT = 260;
const DASHES = [6, 4];

/** Returns a color of the theme, in the form that a canvas takes. */
function colourIn(element: Element, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function draw<Name extends string>(element: HTMLElement, points: readonly Point<Name>[], curves: readonly Curve<Name>[]): UPlot {
  const grid = { stroke: colourIn(element, '--line'), width: 1 };
  const axis = { stroke: colourIn(element, '--text-soft'), grid, ticks: grid };
  const lines = curves.map(({ label, colour, isDashed = false }) => ({
    ...{ label, stroke: colourIn(element, colour), width: 2, points: { size: 5 } },
    ...(isDashed && { dash: DASHES }),
  }));
  const data: UPlot.AlignedData = [
    points.map(({ at }) => Date.parse(at) / 1_000),
    ...curves.map(({ name }) => points.map((point): number => point[name])),
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

interface Props<Name extends string> {
  /** The name of the table. */
  readonly label: string;
  readonly curves: readonly Curve<Name>[];
  readonly points: readonly Point<Name>[];
  /** The length of a step. */
  readonly step: string;
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
  const { curves, points, empty } = props;
  const place = useRef<HTMLDivElement>(null);
  const isQuiet = points.every((point) => curves.every(({ name }) => point[name] === 0));
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let chart = draw(element, points, curves);
    const again = (): void => {
      chart.destroy();
      chart = draw(element, points, curves);
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
  }, [points, curves, isQuiet]);
  if (isQuiet) return empty;
  return (
    <>
      <div ref={place} aria-hidden="true" />
      <Numbers {...props} />
    </>
  );
}
