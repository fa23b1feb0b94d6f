import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveButton } from '../../parts/archive.tsx';
import { useChanged, useDeleted, useOpened } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { count } from '../../parts/numbers.ts';
import { useMay } from '../../session/session.ts';
import { Control } from './control.tsx';
import { isRunningSeries, isSeries } from './schedule.ts';
import { ResendButton } from './resend.tsx';
import { SendButton } from './send.tsx';
import { TestButton } from './test-send.tsx';

type Campaign = Schemas['CampaignDetail'];

interface Of {
  readonly campaign: Campaign;
}

/** Returns the consequences of canceling a campaign. */
function cancelWords(campaign: Campaign): string {
  const { status, sent, totalRecipients } = campaign;
  if (status === 'scheduled') return 'It will not be sent. You cannot undo this.';
  if (isSeries(campaign)) return 'No further turn starts. A turn that is being sent is cancelled too. You cannot undo this.';
  return `${count(sent)} of ${count(totalRecipients)} messages have started. All other recipients are skipped. You cannot undo this.`;
}

function CancelButton({ campaign }: Of): ReactNode {
  const { campaignId } = campaign;
  return (
    <Confirm
      label="Cancel campaign"
      title="Cancel this campaign?"
      danger
      act={() => api.cancelCampaign(campaignId)}
      done={useChanged('campaigns')}
      said="Campaign cancelled."
    >
      {cancelWords(campaign)}
    </Confirm>
  );
}

function DuplicateButton({ campaign: { campaignId } }: Of): ReactNode {
  const opened = useOpened('campaigns');
  return (
    <ActionButton
      label="Duplicate campaign"
      act={() => api.duplicateCampaign(campaignId)}
      done={(copy) => opened(copy.campaignId)}
      said={({ name }) => `${name} created.`}
    />
  );
}

const DeleteButton = ({ campaign: { campaignId, name } }: Of): ReactNode => (
  <Confirm
    label="Delete campaign"
    title={`Delete ${name}?`}
    danger
    act={() => api.deleteCampaign(campaignId)}
    done={useDeleted('campaigns')}
    said={`${name} deleted.`}
  >
    Its messages stay in the mail log. You cannot undo this.
  </Confirm>
);

/** Shows buttons for a campaign that nothing is sent of. */
const Idle = ({ campaign }: Of): ReactNode => (
  <>
    <ArchiveButton kind="campaign" id={campaign.campaignId} name={campaign.name} archivedAt={campaign.archivedAt} />
    <DeleteButton campaign={campaign} />
    {campaign.status === 'draft' && !campaign.archivedAt && <SendButton campaign={campaign} />}
  </>
);

/** Shows buttons for a campaign in its state. */
export function CampaignActions({ campaign }: Of): ReactNode {
  const mayChange = useMay('change');
  if (!mayChange) return null;
  const { status, campaignId } = campaign;
  const isUnderWay = status === 'scheduled' || status === 'sending';
  return (
    <>
      {(status === 'draft' || isRunningSeries(campaign)) && (
        <Link className="button" to={`/campaigns/${campaignId}/edit`}>
          Edit
        </Link>
      )}
      <TestButton campaign={campaign} />
      <DuplicateButton campaign={campaign} />
      {status === 'sent' && !isSeries(campaign) && <ResendButton campaign={campaign} />}
      <Control campaign={campaign} />
      {isUnderWay ? <CancelButton campaign={campaign} /> : <Idle campaign={campaign} />}
    </>
  );
}
