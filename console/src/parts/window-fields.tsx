import type { ReactNode } from 'react';
import { CheckField, ChoiceField, TextField } from './fields.tsx';
import { SpanFields } from './span.tsx';
import { OFFICE_HOURS, WEEKDAYS } from './windows.ts';
import type { Windows } from './windows.ts';
import { ZoneField, ownZone } from './zone-field.tsx';

interface FieldsProps {
  readonly windows: Windows;
  readonly change: (windows: Windows) => void;
}

/** Shows the weekdays on which a window opens. The last one stays: a window without days never opens. */
const Days = ({ windows, change }: FieldsProps): ReactNode => (
  <fieldset className="choices">
    <legend>Days</legend>
    {WEEKDAYS.map((name, at) => {
      const day = at + 1;
      const isChosen = windows.days.includes(day);
      const days = isChosen ? windows.days.filter((other) => other !== day) : [...windows.days, day].toSorted((a, b) => a - b);
      return (
        <label key={name}>
          <input
            type="checkbox"
            checked={isChosen}
            disabled={isChosen && windows.days.length === 1}
            onChange={() => change({ ...windows, days })}
          />
          {name}
        </label>
      );
    })}
  </fieldset>
);

const Clock = ({ windows, change }: FieldsProps): ReactNode => (
  <>
    <TextField label="Opens at" type="time" required value={windows.from} change={(from) => change({ ...windows, from })} />
    <TextField
      label="Closes at"
      type="time"
      required
      hint="If this is not later than Opens at, the window closes on the next day"
      value={windows.until}
      change={(until) => change({ ...windows, until })}
    />
    <ChoiceField
      label="Clock"
      value={windows.timezone === null ? 'recipient' : 'one'}
      change={(chosen) => change({ ...windows, timezone: chosen === 'one' ? ownZone() : null })}
      options={[
        ['recipient', 'Time zone of each recipient'],
        ['one', 'One time zone for all'],
      ]}
    />
    {windows.timezone === null ? (
      <ZoneField
        label="If the time zone is unknown"
        required
        value={windows.fallback}
        change={(fallback) => change({ ...windows, fallback })}
      />
    ) : (
      <ZoneField
        label="Time zone of the window"
        required
        value={windows.timezone}
        change={(timezone) => change({ ...windows, timezone })}
      />
    )}
  </>
);

const Outside = ({ windows, change }: FieldsProps): ReactNode => (
  <>
    <ChoiceField
      label="Outside of the window"
      value={windows.outside}
      change={(outside) => change({ ...windows, outside: outside as Windows['outside'] })}
      options={[
        ['wait', 'Wait for the next opening'],
        ['skip', 'Skip the message'],
      ]}
    />
    {windows.outside === 'wait' && (
      <CheckField
        label="Skip messages that would wait too long"
        checked={windows.expireAfter !== null}
        change={(limited) => change({ ...windows, expireAfter: limited ? { amount: 2, unit: 'days' } : null })}
      />
    )}
    {windows.outside === 'wait' && windows.expireAfter && (
      <SpanFields
        label="Longest wait"
        unitLabel="Unit of the longest wait"
        units={['minutes', 'hours', 'days']}
        isWhole
        span={windows.expireAfter}
        change={(expireAfter) => change({ ...windows, expireAfter })}
      />
    )}
  </>
);

interface WindowProps {
  readonly label: string;
  /** Name of the choice without windows. */
  readonly without: string;
  /** Null without windows. */
  readonly windows: Windows | null;
  readonly change: (windows: Windows | null) => void;
}

/** Chooses when marketing mail may go out. */
export const WindowFields = ({ label, without, windows, change }: WindowProps): ReactNode => (
  <>
    <ChoiceField
      label={label}
      value={windows === null ? '' : 'window'}
      change={(chosen) => change(chosen === '' ? null : OFFICE_HOURS)}
      options={[
        ['', without],
        ['window', 'Only in a window of the week'],
      ]}
    />
    {windows && (
      <>
        <Days windows={windows} change={change} />
        <Clock windows={windows} change={change} />
        <Outside windows={windows} change={change} />
      </>
    )}
  </>
);
