import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { MomentField } from '../../parts/moment-field.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { mayRollOut } from './launch.ts';
import type { Launch } from './launch.ts';

type Campaign = Schemas['CampaignDetail'];

interface Props {
  readonly campaign: Campaign;
  readonly launch: Launch;
  readonly change: (launch: Launch) => void;
}

const NOW = ['now', 'Now'] as const;
const LATER = ['later', 'At a time'] as const;
const LOCAL = ['local', 'At the local time of each recipient'] as const;

const LocalTime = ({ launch, change }: Pick<Props, 'launch' | 'change'>): ReactNode => (
  <>
    <ChoiceField
      label="If the time has passed there"
      value={launch.passed}
      change={(passed) => change({ ...launch, passed: passed as Launch['passed'] })}
      options={[
        ['now', 'Send at once'],
        ['nextDay', 'Send on the next day'],
        ['skip', 'Skip the recipient'],
      ]}
    />
    <ZoneField
      label="If the time zone is unknown"
      hint="Empty: as in the send window, or UTC"
      value={launch.fallback}
      change={(fallback) => change({ ...launch, fallback })}
    />
  </>
);

const Decision = ({ launch, change }: Pick<Props, 'launch' | 'change'>): ReactNode => (
  <>
    <MomentField
      label="Choose the winner at"
      value={launch.decideAt}
      change={(at) => change({ ...launch, decideAt: at })}
      hint="Empty: four hours after the start"
    />
    <ChoiceField
      label="If the campaign is paused then"
      value={launch.decide}
      change={(decide) => change({ ...launch, decide: decide as Launch['decide'] })}
      options={[
        ['onTime', 'Choose the winner anyway'],
        ['afterResume', 'Choose the winner once it is resumed'],
      ]}
    />
  </>
);

const Steps = ({ launch, change }: Pick<Props, 'launch' | 'change'>): ReactNode => (
  <>
    <ChoiceField
      label="Rollout"
      value={launch.steps}
      change={(steps) => change({ ...launch, steps: steps as Launch['steps'] })}
      options={[
        ['none', 'All recipients together'],
        ['two', '10% first, then the rest'],
        ['three', '1% first, then 10%, then the rest'],
      ]}
    />
    {launch.steps !== 'none' && (
      <>
        <ChoiceField
          label="Wait after each step"
          value={launch.wait}
          change={(wait) => change({ ...launch, wait })}
          options={[
            ['1', '1 hour'],
            ['4', '4 hours'],
            ['24', '1 day'],
          ]}
        />
        <p className="hint">It stops after a step if too many messages bounced, were refused, failed, or were reported as spam.</p>
      </>
    )}
  </>
);

/** Chooses when a campaign begins, and how fast it is sent. A recurring one takes its times from its schedule, and only its start from here. */
export function LaunchFields({ campaign, launch, change }: Props): ReactNode {
  const { abSubjectB, schedule } = campaign;
  const { start, time, pace } = launch;
  return (
    <>
      <ChoiceField
        label={schedule ? 'Start of the schedule' : 'When'}
        value={start}
        change={(chosen) => change({ ...launch, start: chosen as Launch['start'] })}
        options={schedule ? [NOW, LATER] : [NOW, LATER, LOCAL]}
      />
      {start !== 'now' && (
        <TextField label="Send at" type="datetime-local" required value={time} change={(at) => change({ ...launch, time: at })} />
      )}
      {start === 'local' && <LocalTime launch={launch} change={change} />}
      {abSubjectB !== null && !schedule && <Decision launch={launch} change={change} />}
      {mayRollOut(campaign, launch) && <Steps launch={launch} change={change} />}
      <TextField
        label="Limit per minute"
        type="number"
        min={1}
        step={1}
        value={pace}
        change={(limit) => change({ ...launch, pace: limit })}
        hint="Empty: no limit"
      />
    </>
  );
}
