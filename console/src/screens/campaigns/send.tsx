import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { LeftOut, audienceBody, audienceOf } from './audience.tsx';

type Campaign = Schemas['CampaignDetail'];

/** Asks anew how many there are as often as it is opened: the page may have stood open for long. */
function useAudience(campaign: Campaign) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['campaigns', campaign.campaignId, 'breakdown'],
    queryFn: () => api.breakDownAudience(audienceBody(audienceOf(campaign))),
    enabled: false,
  });
  return { breakdown: isFetching ? undefined : data, error, countAgain: () => void refetch() };
}

const peopleOf = (audience: number): string => `${count(audience)} ${audience === 1 ? 'person' : 'people'}`;

const instantOf = (time: string): string => new Date(time).toISOString();

interface Plan {
  readonly time: string;
  readonly pace: string;
  readonly decideAt: string;
}

const AT_ONCE: Plan = { time: '', pace: '', decideAt: '' };

/** Sends a draft, or schedules it, after it has said to how many. */
export function SendButton({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { campaignId, name, testMode, abSubjectB } = campaign;
  const queries = useQueryClient();
  const [{ time, pace, decideAt }, setPlan] = useState(AT_ONCE);
  const { breakdown, error, countAgain } = useAudience(campaign);
  const put =
    (member: keyof Plan) =>
    (value: string): void =>
      setPlan((before) => ({ ...before, [member]: value }));
  const send = async (): Promise<void> => {
    if (!breakdown) throw error ?? new Error('How many people it goes to is not known yet');
    if (breakdown.count === 0) throw new Error('There is no one in the audience');
    await api.sendCampaign(campaignId, {
      ...(time !== '' && { scheduledFor: instantOf(time) }),
      ...(decideAt !== '' && { abDecideAt: instantOf(decideAt) }),
      ...(pace !== '' && { throttlePerMinute: Number(pace) }),
    });
  };
  return (
    <FormDialog
      label="Send …"
      title={`Send ${name}?`}
      primary
      begin={countAgain}
      save={breakdown ? `${time === '' ? 'Send to' : 'Schedule for'} ${peopleOf(breakdown.count)}` : 'Counting …'}
      send={send}
      done={() => void queries.invalidateQueries({ queryKey: ['campaigns'] })}
    >
      {breakdown ? <LeftOut breakdown={breakdown} /> : <p role="status">Counting who would get it …</p>}
      {time !== '' && <p className="hint">The audience is counted again when it begins.</p>}
      {testMode && <p className="hint">In test mode: nothing is delivered.</p>}
      <TextField label="When" type="datetime-local" value={time} change={put('time')} hint="Empty: at once" />
      {abSubjectB !== null && (
        <TextField
          label="When the better subject is chosen"
          type="datetime-local"
          value={decideAt}
          change={put('decideAt')}
          hint="Empty: four hours after it begins"
        />
      )}
      <TextField
        label="At most a minute"
        type="number"
        min={1}
        step={1}
        value={pace}
        change={put('pace')}
        hint="Empty: as fast as it goes"
      />
    </FormDialog>
  );
}
