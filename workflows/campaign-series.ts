import { continueAsNew, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { cancelSignal, resumedSignal } from '../src/contracts/campaign';
import type { CampaignKey, SeriesOutlook, SeriesWait } from '../src/contracts/campaign';
import { dueAt, takeTurns } from './turns';
import { summarizedActivities } from './summarized';

/** A database that is away is waited for. */
const { seriesTurn } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Reads feeds from customers' servers, which may be slow. */
const { seriesTurn: turnWithFeed } = summarizedActivities({
  taskQueue: 'http',
  startToCloseTimeout: '5 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** After which a wait that only a person ends checks the documents anyway. */
const DAY_MS = 86_400_000;

const WAITS: Readonly<Record<SeriesWait, string>> = {
  turn: 'until the next turn',
  feed: 'until the feed is tried again',
  previous: 'until the turn before has ended',
  last: 'until the last turn has ended',
  pause: 'until it is resumed',
  answer: 'until a person says what to do with missed turns',
  project: 'until the project is enabled',
};

/**
 * Keeps the time of a recurring campaign: begins its turns, each a campaign with a workflow of its own, one after the other. Its state is in its document; the
 * instants are computed in the activity, which reads time zones.
 *
 * | killed                              | found                                | happens                                                  |
 * |-------------------------------------|--------------------------------------|----------------------------------------------------------|
 * | the API, after its commit           | the intent in the outbox             | the sweep starts this workflow                           |
 * | the worker, during the wait         | the timer, in the history            | it fires; where it is late, `catchUp` decides            |
 * | the worker, before a turn is stored | the series as it was                 | the activity is made again: the instant has one turn     |
 * | the worker, after it read a feed    | the series as it was                 | the feed is read again: no entry is sent yet             |
 * | the worker, after it                | the turn, its campaign in the outbox | the activity finds the instant settled                   |
 * | this workflow, by hand              | a series that is still sending       | the sweep of what lasts starts another one               |
 */
export async function campaignSeries(input: CampaignKey): Promise<void> {
  const afresh = () => continueAsNew<typeof campaignSeries>(input);
  let noted = '';
  await takeTurns({ signals: [resumedSignal, cancelSignal], afresh, mostEvents: 500 }, async () => {
    let outlook = await seriesTurn({ ...input, now: Date.now() });
    if (readsFeed(outlook)) outlook = await turnWithFeed({ ...input, now: Date.now(), readsFeed: true });
    if (outlook.waitsFor === null) return null;
    noted = note(outlook, noted);
    return { ms: waitMs(outlook), summary: waitsFor(outlook, outlook.waitsFor) };
  });
}

const readsFeed = ({ waitsFor, until }: SeriesOutlook): boolean => waitsFor === 'feed' && until === null;

const waitMs = ({ until }: SeriesOutlook): number => (until === null ? DAY_MS : Math.max(1, Date.parse(until) - Date.now()));

const waitsFor = ({ nextAt, turns }: SeriesOutlook, wait: SeriesWait): string =>
  wait === 'turn' ? `until turn ${turns + 1}, at ${nextAt}` : WAITS[wait];

/** Shows the next instant in the details, and until when it waits as the search attribute `Due`. Returns that; nothing is written for the same one. */
function note({ nextAt, turns, waitsFor: wait, until }: SeriesOutlook, noted: string): string {
  setCurrentDetails(
    `${turns} turns so far; ${nextAt === null ? 'no other one' : `the next one at ${nextAt}`}; waits ${wait && WAITS[wait]}`,
  );
  // What checks again each minute is not due at any instant.
  const due = wait === 'turn' || wait === 'pause' ? until : null;
  if (String(due) !== noted) upsertSearchAttributes([dueAt(due)]);
  return String(due);
}
