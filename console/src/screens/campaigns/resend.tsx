import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useOpened } from '../../parts/changed.ts';
import type { Filter } from '../../parts/conditions/language.ts';
import { LineField } from '../../parts/blocks/insert-field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { LeftOut } from './audience.tsx';
import type { Audience } from './audience.tsx';
import { peopleOf, useAudience } from './send.tsx';

type Campaign = Schemas['CampaignDetail'];

/** Returns the contacts who were sent a campaign and have done nothing with it, as the API chooses them. */
function nonOpenersOf({ campaignId, topicId }: Campaign): Audience {
  const never = (['opened', 'clicked', 'bounced', 'complained'] as const).map((state): Filter => ({
    field: `email.${state}`,
    operator: 'notTriggered',
    campaignId,
  }));
  const filters: Filter[] = [{ field: 'email.sent', operator: 'triggered', campaignId }, ...never];
  return { audience: 'filter', segmentId: '', topicId: topicId ?? '', filter: { logic: 'and', groups: [{ filters }] } };
}

/** Sends a campaign again to those who did not open it, after it has said how many they are. */
export function ResendButton({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { campaignId, testMode, abWinner, abSubjectB } = campaign;
  const first = (abWinner === 'b' ? abSubjectB : null) ?? campaign.subject;
  const [subject, setSubject] = useState(first);
  const { breakdown, error, countAgain } = useAudience(nonOpenersOf(campaign));
  const opened = useOpened('campaigns');
  const send = async (): Promise<void> => {
    if (!testMode) {
      if (!breakdown) throw error ?? new Error('The recipients are not counted yet. Try again in a moment.');
      if (breakdown.count === 0) throw new Error('There are no recipients.');
    }
    const again = await api.resendToNonOpeners(campaignId, { subject });
    opened(again.campaignId);
  };
  const counted = breakdown ? <LeftOut breakdown={breakdown} /> : <p role="status">Counting the recipients …</p>;
  return (
    <FormDialog
      label="Send again …"
      title="Send again to contacts that did not open it?"
      save={testMode ? 'Send again' : breakdown ? `Send to ${peopleOf(breakdown.count)}` : 'Counting …'}
      begin={() => {
        setSubject(first);
        if (!testMode) countAgain();
      }}
      send={send}
      said="Campaign started."
    >
      {/* Conditions do not see mail of the test mode. */}
      {testMode ? <p className="hint">Test mode: nothing is delivered, and the recipients are not counted.</p> : counted}
      <p>This creates a segment and a campaign for them, and sends it now.</p>
      <LineField label="Subject" required value={subject} change={setSubject} />
    </FormDialog>
  );
}
