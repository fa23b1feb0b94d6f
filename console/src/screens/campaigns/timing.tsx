import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { CheckField, TextField } from '../../parts/fields.tsx';
import { WindowFields } from '../../parts/window-fields.tsx';
import { windowsBody, writtenWindows } from '../../parts/windows.ts';
import type { Windows } from '../../parts/windows.ts';
import { FeedFields } from './feed-fields.tsx';
import { NO_FEED, feedBody, writtenFeed } from './feed.ts';
import type { Feed } from './feed.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { scheduleBody, writtenSchedule } from './schedule.ts';
import type { Schedule } from './schedule.ts';

type Campaign = Schemas['CampaignDetail'];

/** When a campaign may go out, how often, and to whom not again, as it is edited. */
export interface Timing {
  /** Null for those of the project. */
  readonly windows: Windows | null;
  /** Empty for none. */
  readonly onceKey: string;
  /** Empty for forever. */
  readonly onceWithin: string;
  readonly schedule: Schedule | null;
  /** Each contact gets the campaign once, in any turn of its schedule. */
  readonly evergreen: boolean;
  /** Counts only with a schedule. */
  readonly feed: Feed;
}

export const NO_TIMING: Timing = { windows: null, onceKey: '', onceWithin: '', schedule: null, evergreen: false, feed: NO_FEED };

export const timingOf = ({ windows, sendOnce, schedule, evergreen, feed }: Campaign): Timing => ({
  windows: windows ? writtenWindows(windows) : null,
  onceKey: sendOnce?.key ?? '',
  onceWithin: sendOnce?.within ?? '',
  schedule: schedule ? writtenSchedule(schedule) : null,
  evergreen: evergreen === true,
  feed: feed ? writtenFeed(feed) : NO_FEED,
});

/** Returns the same values as the API takes them. The schedule of a series that runs stays as it is. */
export const timingBody = ({ windows, onceKey, onceWithin, schedule, evergreen, feed }: Timing, isRunning: boolean) => ({
  windows: windows && windowsBody(windows),
  sendOnce:
    evergreen || onceKey.trim() === '' ? null : { key: onceKey.trim(), ...(onceWithin.trim() !== '' && { within: onceWithin.trim() }) },
  ...(!isRunning && { schedule: schedule && scheduleBody(schedule), evergreen: schedule !== null && evergreen }),
  feed: schedule && feedBody(feed),
});

interface Props {
  readonly timing: Timing;
  readonly change: (timing: Timing) => void;
  /** Whether it is a series that runs: its schedule cannot change. */
  readonly isRunning: boolean;
}

/** Chooses when a campaign may go out, how often, and whether a person gets it only once. */
export const TimingFields = ({ timing, change, isRunning }: Props): ReactNode => (
  <>
    {!isRunning && (
      <ScheduleFields
        schedule={timing.schedule}
        change={(schedule) => change({ ...timing, schedule, evergreen: timing.evergreen && schedule !== null })}
      />
    )}
    {!isRunning && timing.schedule && (
      <CheckField
        label="Evergreen: each contact gets it once, in the first turn after it matches"
        checked={timing.evergreen}
        change={(evergreen) => change({ ...timing, evergreen })}
      />
    )}
    {timing.schedule && <FeedFields feed={timing.feed} change={(feed) => change({ ...timing, feed })} />}
    <WindowFields
      label="Send window"
      without="Project default"
      windows={timing.windows}
      change={(windows) => change({ ...timing, windows })}
    />
    {!timing.evergreen && <OnceFields timing={timing} change={change} />}
  </>
);

/** Chooses whether a person gets a campaign only once. An evergreen one has a key of its own. */
const OnceFields = ({ timing, change }: Omit<Props, 'isRunning'>): ReactNode => (
  <>
    <TextField
      label="Send-once key"
      maxLength={128}
      hint="Contacts that have a message with this key are skipped. Empty: none"
      value={timing.onceKey}
      change={(onceKey) => change({ ...timing, onceKey })}
    />
    {timing.onceKey.trim() !== '' && (
      <TextField
        label="Again after"
        hint="For example 90d or 12h. Empty: never"
        value={timing.onceWithin}
        change={(onceWithin) => change({ ...timing, onceWithin })}
      />
    )}
  </>
);
