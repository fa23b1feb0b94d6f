import type { ReactNode } from 'react';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { MomentField } from '../../parts/moment-field.tsx';
import { ZoneField, ownZone } from '../../parts/zone-field.tsx';
import { PRESETS, newSchedule } from './schedule.ts';
import type { Kind, Schedule } from './schedule.ts';

interface FieldsProps {
  readonly schedule: Schedule;
  readonly change: (schedule: Schedule) => void;
}

function Rule({ schedule, change }: FieldsProps): ReactNode {
  const { kind, rule } = schedule;
  const presets = PRESETS[kind];
  return (
    <>
      <ChoiceField
        label="Preset"
        value={presets.some(([preset]) => preset === rule) ? rule : ''}
        change={(preset) => preset !== '' && change({ ...schedule, rule: preset })}
        options={[['', 'Custom: edit the rule'], ...presets]}
      />
      <TextField
        label="Rule"
        required
        maxLength={kind === 'rrule' ? 500 : 200}
        hint={kind === 'rrule' ? 'The value of an RRULE (RFC 5545)' : 'Minute, hour, day of month, month, day of week'}
        value={rule}
        change={(written) => change({ ...schedule, rule: written })}
      />
    </>
  );
}

const End = ({ schedule, change }: FieldsProps): ReactNode => (
  <>
    <MomentField
      label="Last turn until"
      hint="Your clock. Empty: no end"
      value={schedule.until}
      change={(until) => change({ ...schedule, until })}
    />
    <TextField
      label="Number of turns"
      type="number"
      min={1}
      max={10_000}
      step={1}
      hint="Empty: no limit"
      value={schedule.count}
      change={(turns) => change({ ...schedule, count: turns })}
    />
  </>
);

interface Props {
  /** Null for a campaign that is sent once. */
  readonly schedule: Schedule | null;
  readonly change: (schedule: Schedule | null) => void;
}

/** Chooses whether a campaign is recurring, and when it has its turns. */
export const ScheduleFields = ({ schedule, change }: Props): ReactNode => (
  <>
    <ChoiceField
      label="Recurrence"
      value={schedule?.kind ?? ''}
      change={(kind) => change(kind === '' ? null : { ...newSchedule(kind as Kind, ownZone()), ...(schedule && keptOf(schedule)) })}
      options={[
        ['', 'Send once'],
        ['rrule', 'Recurring, by a rule (RRULE)'],
        ['cron', 'Recurring, by a cron expression'],
      ]}
    />
    {schedule && (
      <>
        <Rule schedule={schedule} change={change} />
        <ZoneField
          label="Time zone of the schedule"
          required
          value={schedule.timezone}
          change={(timezone) => change({ ...schedule, timezone })}
        />
        <End schedule={schedule} change={change} />
        <ChoiceField
          label="Missed turns"
          value={schedule.catchUp}
          change={(catchUp) => change({ ...schedule, catchUp: catchUp as Schedule['catchUp'] })}
          options={[
            ['latest', 'Send the latest one'],
            ['skip', 'Skip all'],
            ['ask', 'Wait for your answer'],
          ]}
        />
      </>
    )}
  </>
);

/** Returns everything that stays when the kind of the rule changes. */
const keptOf = ({ timezone, until, count, catchUp }: Schedule) => ({ timezone, until, count, catchUp });
