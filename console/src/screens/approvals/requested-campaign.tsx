import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import { StandingChecks } from '../../parts/campaign/checks.tsx';
import { audienceFacts, envelopeFacts } from '../../parts/campaign/facts.tsx';
import { Message } from '../../parts/campaign/message.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

interface Props {
  readonly campaignId: string;
  /** The card of the request. */
  readonly children: ReactNode;
}

/** Shows the campaign that somebody decides about: for whom it is, what the checks find, and the message. */
export function RequestedCampaign({ campaignId, children }: Props): ReactNode {
  const mayRender = useMay('change');
  const query = useQuery({ queryKey: ['campaigns', campaignId], queryFn: () => api.getCampaign(campaignId) });
  return (
    <div className="columns">
      <div>
        {children}
        <Answer query={query} what="the campaign">
          {(campaign) => (
            <>
              <Card title="Campaign">
                <Facts facts={[['Name', campaign.name], ...audienceFacts(campaign), ...envelopeFacts(campaign)]} />
              </Card>
              {campaign.status === 'draft' && <StandingChecks campaignId={campaignId} />}
            </>
          )}
        </Answer>
      </div>
      {query.data && <Message campaign={query.data} mayRender={mayRender} />}
    </div>
  );
}
