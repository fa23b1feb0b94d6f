import type { ReactNode } from 'react';
import { EventName } from '../../../parts/conditions/names.tsx';
import { useEventMembers } from '../../../parts/event-members.ts';
import { ChoiceField, TextField } from '../../../parts/fields.tsx';
import { MomentField } from '../../../parts/moment-field.tsx';
import { SpanFields } from '../../../parts/span.tsx';
import type { Span } from '../../../parts/span.tsx';
import { ValuesField } from '../../../parts/values/values-field.tsx';
import { WEEKDAYS } from '../../../parts/windows.ts';
import { ZoneField, ownZone } from '../../../parts/zone-field.tsx';
import { textIn } from '../graph/model.ts';
import type { Config } from '../graph/model.ts';
import { withMember } from './form.ts';
import type { FormProps } from './form.ts';

type Kind = 'span' | 'until' | 'time';

const kindOf = (config: Config): Kind => {
  if ('until' in config) return 'until';
  return 'time' in config ? 'time' : 'span';
};

const BEGINNINGS: Readonly<Record<Kind, () => Config>> = {
  span: () => ({ amount: 1, unit: 'days' }),
  until: () => ({ until: new Date(Date.now() + 86_400_000).toISOString() }),
  time: () => ({ time: '09:00', timezone: ownZone() }),
};

function Weekdays({ config, change }: FormProps): ReactNode {
  const chosen = (config['weekdays'] as readonly number[] | undefined) ?? [];
  const toggle = (day: number, isOn: boolean): void => {
    const days = isOn ? [...chosen, day].sort((a, b) => a - b) : chosen.filter((other) => other !== day);
    change(withMember(config, 'weekdays', days.length === 0 ? undefined : days));
  };
  return (
    <fieldset className="checks">
      <legend>Weekdays (none selected: every day)</legend>
      {WEEKDAYS.map((name, place) => (
        <label key={name}>
          <input type="checkbox" checked={chosen.includes(place + 1)} onChange={(event) => toggle(place + 1, event.target.checked)} />{' '}
          {name}
        </label>
      ))}
    </fieldset>
  );
}

/** Shows the form for a delay: its length, or its end. */
export function DelayForm({ config, change }: FormProps): ReactNode {
  const kind = kindOf(config);
  return (
    <>
      <ChoiceField
        label="Wait"
        value={kind}
        change={(chosen) => change(BEGINNINGS[chosen as Kind]())}
        options={[
          ['span', 'For a duration'],
          ['until', 'Until a date and time'],
          ['time', 'Until a time of day'],
        ]}
      />
      {kind === 'span' && <SpanFields label="Duration" span={config as unknown as Span} change={(span) => change({ ...span })} />}
      {kind === 'until' && (
        <MomentField
          label="Until"
          hint={`In ${ownZone()}`}
          required
          value={textIn(config, 'until')}
          change={(until) => change({ until })}
        />
      )}
      {kind === 'time' && (
        <>
          <TextField label="At" type="time" required value={textIn(config, 'time')} change={(time) => change({ ...config, time })} />
          <ZoneField label="Time zone" required value={textIn(config, 'timezone')} change={(timezone) => change({ ...config, timezone })} />
          <Weekdays config={config} change={change} />
        </>
      )}
    </>
  );
}

const THREE_DAYS: Span = { amount: 3, unit: 'days' };

/** Asks for which event the execution waits, and how long at most. */
export function EventWaitForm({ config, change }: FormProps): ReactNode {
  const timeout = config['timeout'] as Span | undefined;
  return (
    <>
      <EventName label="Event name" value={textIn(config, 'event')} change={(event) => change({ ...config, event })} />
      <ValuesField
        label="Match event data"
        one="Path"
        hint="Only events with these values count. For example plan, items.sku"
        names={useEventMembers(textIn(config, 'event'))}
        value={config['filter']}
        change={(filter) => change(withMember(config, 'filter', filter))}
      />
      <ChoiceField
        label="Timeout"
        value={timeout ? 'after' : 'year'}
        change={(chosen) => change(withMember(config, 'timeout', chosen === 'after' ? THREE_DAYS : undefined))}
        options={[
          ['after', 'After a duration'],
          ['year', 'After a year'],
        ]}
      />
      {timeout && <SpanFields label="After" span={timeout} change={(span) => change({ ...config, timeout: span })} />}
    </>
  );
}

/** Shows the form for a digest: its window, its key and its limit. */
export const DigestForm = ({ config, change }: FormProps): ReactNode => (
  <>
    <SpanFields label="Gather for" span={config['window'] as Span} change={(window) => change({ ...config, window })} />
    <TextField
      label="Group by"
      hint="A path in the event data, for example event.thread"
      value={textIn(config, 'key')}
      change={(key) => change(withMember(config, 'key', key === '' ? undefined : key))}
    />
    <TextField
      label="At most"
      type="number"
      min={2}
      max={100}
      hint="Events; 100 unless set"
      value={textIn(config, 'max')}
      change={(max) => change(withMember(config, 'max', max === '' ? undefined : Number(max)))}
    />
  </>
);
