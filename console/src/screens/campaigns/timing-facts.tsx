import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { windowWords } from '../../parts/windows.ts';
import { scheduleWords } from './schedule.ts';

type Campaign = Schemas['CampaignDetail'];

const onceWords = ({ key, within }: NonNullable<Campaign['sendOnce']>): string =>
  within === undefined ? `${key} (once)` : `${key} (again after ${within})`;

const localWords = ({ at, fallback }: NonNullable<Campaign['localTime']>): string =>
  `${at.replace('T', ' ')} on each recipient’s clock (${fallback} if unknown)`;

type Facts = readonly (readonly [string, ReactNode])[];

const recurrenceFacts = ({ schedule, evergreen, feed }: Campaign): Facts => [
  ['Recurrence', schedule && scheduleWords(schedule)],
  ['Evergreen', evergreen && 'Each contact gets it once'],
  ['Feed', feed?.url],
];

/** Returns when a campaign goes out, how often and to whom not again; what it does not have is left out. */
export function timingFacts(campaign: Campaign): Facts {
  const { scheduledFor, localTime, nextAt, windows, sendOnce, decide, turnOf } = campaign;
  return [
    ...recurrenceFacts(campaign),
    [
      'Recurring campaign',
      turnOf && (
        <Link key="series" to={`/campaigns/${turnOf.seriesId}`}>
          {`Turn ${turnOf.number}`}
        </Link>
      ),
    ],
    ['Send window', windows && windowWords(windows)],
    ['Local time', localTime && localWords(localTime)],
    ['Scheduled for', scheduledFor && <When key="scheduled" at={scheduledFor} />],
    ['Next recipients', nextAt && <When key="next" at={nextAt} />],
    ['A/B decision', decide && 'Once the campaign is resumed, if it is paused then'],
    ['Send-once key', sendOnce && onceWords(sendOnce)],
  ];
}
