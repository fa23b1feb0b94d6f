import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { Schemas } from './api.ts';
import { Curves } from './curves.tsx';
import type { Curve } from './curves.tsx';
import { ChoiceField } from './fields.tsx';
import { Card } from './page.tsx';
import { Answer } from './states.tsx';

type Step = 'hour' | 'day';
type MailPoint = Schemas['CampaignTimeline']['series'][number];
type MailName = Exclude<keyof MailPoint, 'at'>;

/** Curves that are shown together. */
export interface View<Name extends string> {
  readonly label: string;
  readonly curves: readonly Curve<Name>[];
}

/** Curves of messages: opens and clicks, with people and machines apart, and delivery. */
export const MAIL_VIEWS: readonly View<MailName>[] = [
  {
    label: 'Opens and clicks',
    curves: [
      { name: 'opened', label: 'Opened by people', colour: '--series-5' },
      { name: 'clicked', label: 'Clicked by people', colour: '--series-1' },
      { name: 'unsubscribed', label: 'Unsubscribed', colour: '--series-2' },
      { name: 'proxied', label: 'Loaded by Apple’s proxy', colour: '--series-3', isDashed: true },
      { name: 'scanned', label: 'Opened or clicked by machines', colour: '--series-4', isDashed: true },
    ],
  },
  {
    label: 'Delivery',
    curves: [
      { name: 'sent', label: 'Sent', colour: '--series-2' },
      { name: 'delivered', label: 'Delivered', colour: '--series-1' },
      { name: 'bounced', label: 'Bounced', colour: '--series-3' },
      { name: 'complained', label: 'Complained', colour: '--series-4' },
    ],
  },
];

const STEPS = [
  ['hour', 'Hour'],
  ['day', 'Day'],
] as const;

const FRESH_MS = 4 * 24 * 3_600_000;
const LIVE_MS = 30_000;

type Point<Name extends string> = Readonly<Record<Name, number>> & { readonly at: string };

interface Props<Name extends string> {
  readonly title: string;
  readonly views: readonly View<Name>[];
  /** Names what is shown among the queries. */
  readonly queryKey: readonly string[];
  readonly fetch: (step: Step) => Promise<{ readonly step: Step; readonly series: readonly Point<Name>[] }>;
  /** When it began: what is young is shown by the hour at first. */
  readonly since: string;
  readonly isLive: boolean;
}

/** Leaves out the time after the last thing that happened, but for one step. */
function upToTheLast<Name extends string>(series: readonly Point<Name>[], views: readonly View<Name>[]): readonly Point<Name>[] {
  const isBusy = (point: Point<Name>): boolean => views.some(({ curves }) => curves.some(({ name }) => point[name] > 0));
  return series.slice(0, series.findLastIndex(isBusy) + 2);
}

/** Shows a card with curves by hour or day, of which one chooses what they show. */
export function OverTime<Name extends string>({ title, views, queryKey, fetch, since, isLive }: Props<Name>): ReactNode {
  const [step, setStep] = useState<Step>(() => (Date.now() - Date.parse(since) < FRESH_MS ? 'hour' : 'day'));
  const [chosen, choose] = useState(views[0]?.label ?? '');
  const curves = (views.find(({ label }) => label === chosen) ?? views[0])?.curves ?? [];
  const query = useQuery({
    queryKey: [...queryKey, 'timeline', step],
    queryFn: () => fetch(step),
    refetchInterval: isLive && LIVE_MS,
    // The table stays open while other steps are fetched.
    placeholderData: keepPreviousData,
  });
  const points = useMemo(() => upToTheLast(query.data?.series ?? [], views), [query.data, views]);
  return (
    <Card title={title}>
      <div className="filters">
        <ChoiceField label="Show" value={chosen} change={choose} options={views.map(({ label }) => [label, label] as const)} />
        <ChoiceField label="By" value={step} change={(by) => setStep(by === 'day' ? 'day' : 'hour')} options={STEPS} />
      </div>
      <Answer query={query} what="the curves">
        {(timeline) => (
          <Curves
            label={`${title}: ${chosen}, as a table`}
            curves={curves}
            points={points}
            step={timeline.step}
            empty={<p className="hint">No activity yet.</p>}
          />
        )}
      </Answer>
    </Card>
  );
}
