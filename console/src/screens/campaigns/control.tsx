import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CheckField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { MomentField } from '../../parts/moment-field.tsx';
import { count } from '../../parts/numbers.ts';
import { say } from '../../parts/toasts/store.ts';
import { CorrectButton } from './correct.tsx';
import { isSeries } from './schedule.ts';

type Campaign = Schemas['CampaignDetail'];

interface Of {
  readonly campaign: Campaign;
}

type Reached = Schemas['PausedCampaign'];

const pausedWords = ({ sent, inFlight, remaining }: Reached): string =>
  `Paused: ${count(sent)} sent, ${count(inFlight)} in flight, ${count(remaining)} remaining`;

function PauseButton({ campaign: { campaignId } }: Of): ReactNode {
  const [until, setUntil] = useState('');
  const [holds, setHolds] = useState(false);
  const pause = async (): Promise<Reached> => {
    return api.pauseCampaign(campaignId, { ...(until !== '' && { until }), retries: holds ? 'hold' : 'continue' });
  };
  return (
    <FormDialog
      label="Pause campaign"
      title="Pause this campaign?"
      save="Pause campaign"
      send={pause}
      done={useChanged('campaigns')}
      said={pausedWords}
    >
      <p>No further message starts until you resume it.</p>
      <MomentField label="Resume at" value={until} change={setUntil} hint="Empty: until you resume it" />
      <CheckField label="Hold deferred messages too, instead of retrying them" checked={holds} change={setHolds} />
    </FormDialog>
  );
}

function ResumeButton({ campaign: { campaignId } }: Of): ReactNode {
  const changed = useChanged('campaigns');
  const navigate = useNavigate();
  const resuming = useMutation({
    mutationFn: () => api.resumeCampaign(campaignId),
    onSuccess: () => {
      changed();
      say('Campaign resumed.');
    },
  });
  const asking = useMutation({
    mutationFn: () => api.createApproval({ operation: 'resumeCampaign', parameters: { id: campaignId } }),
    onSuccess: ({ approvalId }) => navigate(`/approvals/${approvalId}`),
  });
  const error = asking.error ?? resuming.error;
  const needsApproval = resuming.error instanceof ApiError && resuming.error.code === 'approval_needed';
  return (
    <>
      <span aria-live="polite">{error && <span className="fault">{error.message}</span>}</span>
      <button type="button" className="primary" disabled={resuming.isPending} onClick={() => resuming.mutate()}>
        Resume campaign
      </button>
      {needsApproval && (
        <button type="button" disabled={asking.isPending} onClick={() => asking.mutate()}>
          Request approval
        </button>
      )}
    </>
  );
}

function RescheduleButton({ campaign: { campaignId } }: Of): ReactNode {
  const [time, setTime] = useState('');
  const send = (): Promise<unknown> => api.rescheduleCampaign(campaignId, { scheduledFor: time });
  return (
    <FormDialog
      label="Reschedule …"
      title="Send at another time?"
      save="Reschedule campaign"
      send={send}
      done={useChanged('campaigns')}
      said="Campaign rescheduled."
    >
      <MomentField label="Send at" required value={time} change={setTime} />
    </FormDialog>
  );
}

const UnscheduleButton = ({ campaign: { campaignId } }: Of): ReactNode => (
  <Confirm
    label="Unschedule campaign"
    title="Unschedule this campaign?"
    act={() => api.unscheduleCampaign(campaignId)}
    done={useChanged('campaigns')}
    said="Campaign is a draft again."
  >
    It becomes a draft again, which you can edit and send later.
  </Confirm>
);

const ScheduledControl = ({ campaign }: Of): ReactNode => (
  <>
    <UnscheduleButton campaign={campaign} />
    {/* A launch at a local time is unscheduled and sent again instead. */}
    {!campaign.localTime && <RescheduleButton campaign={campaign} />}
  </>
);

/** Holds that end when a person resumes the campaign. */
const RESUMABLE: readonly (string | null)[] = ['paused', 'provider_refuses', 'rollout_stopped'];

/** Shows the buttons for a campaign between its start and its end, in addition to canceling it. */
export function Control({ campaign }: Of): ReactNode {
  const { status, paused, heldReason } = campaign;
  if (status === 'scheduled') return <ScheduledControl campaign={campaign} />;
  if (status !== 'sending') return null;
  return (
    <>
      {heldReason !== null && !isSeries(campaign) && <CorrectButton campaign={campaign} />}
      {RESUMABLE.includes(heldReason) && <ResumeButton campaign={campaign} />}
      {!paused && <PauseButton campaign={campaign} />}
    </>
  );
}
