import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useChanged } from '../../parts/changed.ts';
import { contentName } from '../../parts/languages/names.ts';
import { SAVED } from '../../parts/unsaved.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { envelopeFacts } from '../../parts/campaign/facts.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Facts } from '../../parts/page.tsx';
import { LeftOut, audienceBody, audienceOf } from './audience.tsx';
import type { Audience } from './audience.tsx';
import { Checklist, usePreflight } from './checklist.tsx';
import { LaunchFields } from './launch-fields.tsx';
import { AT_ONCE, launchBody } from './launch.ts';
import type { Launch } from './launch.ts';
import { PlanOnDemand } from './plan.tsx';
import { scheduleWords } from './schedule.ts';

/** Says which recipients of a campaign would get which language; nothing for a campaign in one language. */
function Coverage({ campaign: { campaignId, variants } }: { readonly campaign: Schemas['CampaignDetail'] }): ReactNode {
  const { data } = useQuery({
    queryKey: ['campaigns', campaignId, 'coverage'],
    queryFn: () => api.getCampaignCoverage(campaignId),
    enabled: variants !== undefined,
  });
  if (variants === undefined) return null;
  if (!data) return <p role="status">Counting the languages …</p>;
  return (
    <table>
      <caption>Languages</caption>
      <thead>
        <tr>
          <th scope="col">Language</th>
          <th scope="col">Recipients</th>
          <th scope="col">Share</th>
          <th scope="col">Missing</th>
        </tr>
      </thead>
      <tbody>
        {data.languages.map(({ language, recipients, share: part, missing }) => (
          <tr key={language ?? ''}>
            <td>{contentName(language)}</td>
            <td>{count(recipients)}</td>
            <td>{percent(part)}</td>
            <td>{missing.join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Campaign = Schemas['CampaignDetail'];

/** Navigation state for a campaign that was just saved, to be reviewed and sent. */
export const REVIEWED = { state: { ...SAVED.state, isReviewed: true } } as const;

const isReviewed = (state: unknown): boolean => (state as typeof REVIEWED.state | null)?.isReviewed === true;

/** Counts an audience each time the dialog opens: the page may have been open for long. */
export function useAudience(audience: Audience) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['campaigns', 'breakdown', 'dialog', audience],
    queryFn: () => api.breakDownAudience(audienceBody(audience)),
    enabled: false,
  });
  return { breakdown: isFetching ? undefined : data, error, countAgain: () => void refetch() };
}

export const peopleOf = (audience: number): string => `${count(audience)} ${audience === 1 ? 'recipient' : 'recipients'}`;

/** Returns whether another person has to approve a launch to this many recipients. */
function useNeedsApproval({ testMode }: Campaign, breakdown: Schemas['AudienceBreakdown'] | undefined): boolean {
  const { data: settings } = useQuery({ queryKey: ['settings'], queryFn: () => api.getSettings() });
  const most = settings?.approvalNeededAbove ?? null;
  return most !== null && !testMode && breakdown !== undefined && breakdown.count > most;
}

/** Returns the button's words: what it does, for how many. */
const saveWords = ({ schedule }: Campaign, { start }: Launch, breakdown: Schemas['AudienceBreakdown'] | undefined): string => {
  if (schedule) return 'Start recurring campaign';
  return breakdown ? `${start === 'now' ? 'Send to' : 'Schedule for'} ${peopleOf(breakdown.count)}` : 'Counting …';
};

interface NotesProps {
  readonly campaign: Campaign;
  readonly launch: Launch;
  readonly needsApproval: boolean;
}

/** Shows facts to know before a campaign is sent. */
const Notes = ({ campaign, launch: { start }, needsApproval }: NotesProps): ReactNode => (
  <>
    {needsApproval && (
      <p className="hint">This many recipients need the approval of another person. The campaign is sent once they approve.</p>
    )}
    {campaign.schedule && <p className="hint">{scheduleWords(campaign.schedule)}. Each turn counts the audience again.</p>}
    {start !== 'now' && !campaign.schedule && <p className="hint">The audience is counted again when the campaign starts.</p>}
    {campaign.testMode && <p className="hint">Test mode: nothing is delivered.</p>}
  </>
);

/** Sends a draft, schedules it, or starts its series, after it has said to how many. */
export function SendButton({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { campaignId, name, schedule } = campaign;
  const [launch, setLaunch] = useState(AT_ONCE);
  const { breakdown, error, countAgain } = useAudience(audienceOf(campaign));
  const preflight = usePreflight(campaignId);
  const needsApproval = useNeedsApproval(campaign, breakdown);
  const changed = useChanged('campaigns');
  const navigate = useNavigate();
  const opens = isReviewed(useLocation().state);
  const send = async (): Promise<string> => {
    if (!breakdown) throw error ?? new Error('The audience is not counted yet. Try again in a moment.');
    if (breakdown.count === 0 && !schedule) throw new Error('The audience is empty. Change the audience or subscribe contacts.');
    if (!needsApproval) {
      const { status } = await api.sendCampaign(campaignId, { ...launchBody(launch), ...preflight.force });
      return status === 'scheduled' ? 'Campaign scheduled.' : 'Campaign started.';
    }
    const parameters = { id: campaignId, ...launchBody(launch), ...preflight.force };
    const { approvalId } = await api.createApproval({ operation: 'sendCampaign', parameters });
    void navigate(`/approvals/${approvalId}`);
    return 'Approval requested.';
  };
  const begin = (): void => {
    countAgain();
    preflight.checkAgain();
    // A reload shows the campaign, not the dialog again.
    if (opens) void navigate('.', { replace: true });
  };
  return (
    <FormDialog
      label="Send campaign …"
      title={`Send ${name}?`}
      primary
      begin={begin}
      opens={opens}
      save={needsApproval ? 'Request approval' : saveWords(campaign, launch, breakdown)}
      send={send}
      done={changed}
      said={(text) => text}
    >
      {breakdown ? <LeftOut breakdown={breakdown} /> : <p role="status">Counting the audience …</p>}
      <Facts facts={envelopeFacts(campaign)} />
      <Coverage campaign={campaign} />
      <Checklist {...preflight} />
      <Notes campaign={campaign} launch={launch} needsApproval={needsApproval} />
      <LaunchFields campaign={campaign} launch={launch} change={setLaunch} />
      {/* A plan of another launch is not shown. */}
      {!schedule && <PlanOnDemand key={JSON.stringify(launch)} campaignId={campaignId} launch={() => launchBody(launch)} />}
    </FormDialog>
  );
}
