import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { LeftOut, audienceBody, audienceOf } from './audience.tsx';

type Campaign = Schemas['CampaignDetail'];

/** Counts the audience each time the dialog opens: the page may have been open for long. */
function useAudience(campaign: Campaign) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['campaigns', campaign.campaignId, 'breakdown'],
    queryFn: () => api.breakDownAudience(audienceBody(audienceOf(campaign))),
    enabled: false,
  });
  return { breakdown: isFetching ? undefined : data, error, countAgain: () => void refetch() };
}

const peopleOf = (audience: number): string => `${count(audience)} ${audience === 1 ? 'recipient' : 'recipients'}`;

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
    if (!breakdown) throw error ?? new Error('The audience is not counted yet. Try again in a moment.');
    if (breakdown.count === 0) throw new Error('The audience is empty. Change the audience or subscribe contacts.');
    await api.sendCampaign(campaignId, {
      ...(time !== '' && { scheduledFor: instantOf(time) }),
      ...(decideAt !== '' && { abDecideAt: instantOf(decideAt) }),
      ...(pace !== '' && { throttlePerMinute: Number(pace) }),
    });
  };
  return (
    <FormDialog
      label="Send campaign …"
      title={`Send ${name}?`}
      primary
      begin={countAgain}
      save={breakdown ? `${time === '' ? 'Send to' : 'Schedule for'} ${peopleOf(breakdown.count)}` : 'Counting …'}
      send={send}
      done={() => void queries.invalidateQueries({ queryKey: ['campaigns'] })}
    >
      {breakdown ? <LeftOut breakdown={breakdown} /> : <p role="status">Counting the audience …</p>}
      {campaign.warnings.some(({ code }) => code === 'no_postal_address') && (
        <p className="hint" role="note">
          The footer has no postal address, which many countries require. <Link to="/settings">Add one in the settings</Link> before you
          send.
        </p>
      )}
      {time !== '' && <p className="hint">The audience is counted again at the scheduled time.</p>}
      {testMode && <p className="hint">Test mode: nothing is delivered.</p>}
      <TextField label="Send at" type="datetime-local" value={time} change={put('time')} hint="Empty: send now" />
      {abSubjectB !== null && (
        <TextField
          label="Choose the winner at"
          type="datetime-local"
          value={decideAt}
          change={put('decideAt')}
          hint="Empty: four hours after the start"
        />
      )}
      <TextField label="Limit per minute" type="number" min={1} step={1} value={pace} change={put('pace')} hint="Empty: no limit" />
    </FormDialog>
  );
}
