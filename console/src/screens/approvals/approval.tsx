import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { StandingChecks } from '../../parts/campaign/checks.tsx';
import { audienceFacts, envelopeFacts } from '../../parts/campaign/facts.tsx';
import { Message } from '../../parts/campaign/message.tsx';
import { useChanged } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { ApprovalState } from './state.tsx';

interface RequestedProps {
  readonly campaignId: string;
  /** The card of the request. */
  readonly children: ReactNode;
}

/** Shows the campaign that somebody decides about: for whom it is, what the checks find, and the message. */
function RequestedCampaign({ campaignId, children }: RequestedProps): ReactNode {
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

type Approval = Schemas['Approval'];

/** While it is carried out, and while somebody else may decide. */
const LOOKS_MS: Readonly<Partial<Record<Approval['state'], number>>> = { approved: 1_000, pending: 10_000 };

function Decide({ approval: { approvalId, summary } }: { readonly approval: Approval }): ReactNode {
  const done = useChanged('approvals');
  return (
    <>
      <Confirm label="Reject" title="Reject this?" danger act={() => api.rejectApproval(approvalId, {})} done={done} said="Rejected.">
        Nothing happens. It can be requested again.
      </Confirm>
      <Confirm label="Approve" title="Approve this?" primary act={() => api.approveApproval(approvalId, {})} done={done} said="Approved.">
        {summary.text} Sent messages cannot be recalled.
      </Confirm>
    </>
  );
}

/** Returns the id of the campaign that a request is about; null for other requests. */
const campaignIn = ({ operation, parameters: { id } }: Approval): string | null =>
  operation === 'sendCampaign' || operation === 'resumeCampaign' ? String(id) : null;

/** Returns links to the screen that shows the subject of a request, where there is one. */
function subjectOf(approval: Approval): ReactNode {
  const campaignId = campaignIn(approval);
  if (campaignId !== null) return <Link to={`/campaigns/${campaignId}`}>Open the campaign</Link>;
  return approval.operation === 'updateWorkflow' ? (
    <Link to={`/automations/${String(approval.parameters['id'])}`}>Open the automation</Link>
  ) : null;
}

/** Names the first ones of those whom a request names. */
const firstOf = ({ first, recipients }: Approval['summary']): string | null =>
  first.length === 0 ? null : first.join(', ') + (recipients !== null && recipients > first.length ? ' and others' : '');

/** Returns the id of a campaign that is shown with its request: as long as that can be decided. Later, the campaign may be another one. */
const shownWith = (approval: Approval): string | null => (approval.state === 'pending' ? campaignIn(approval) : null);

const Request = ({ approval }: { readonly approval: Approval }): ReactNode => (
  <Card title="What will happen" actions={<ApprovalState state={approval.state} />}>
    <p>{approval.summary.text}</p>
    <Facts
      facts={[
        ['Subject', shownWith(approval) === null && approval.summary.subject],
        ['Recipients', approval.summary.recipients === null ? null : count(approval.summary.recipients)],
        ['To', firstOf(approval.summary)],
        ['Message', approval.summary.excerpt && <pre key="message">{approval.summary.excerpt}</pre>],
        ['Reason given', approval.reason],
        ['Requested by', <code key="by">{approval.requestedBy}</code>],
        ['Requested', <When key="at" at={approval.createdAt} />],
        ['Expires', approval.state === 'pending' && <When key="end" at={approval.expiresAt} />],
        ['Details', subjectOf(approval)],
      ]}
    />
  </Card>
);

const Decision = ({ approval }: { readonly approval: Approval }): ReactNode => (
  <Card title="Decision">
    <Facts
      facts={[
        ['Decided by', <code key="by">{approval.decidedBy}</code>],
        ['Decided', <When key="at" at={approval.decidedAt} />],
        ['Reason', approval.decisionReason],
        ['Outcome', approval.result?.message],
      ]}
    />
  </Card>
);

function Requested({ approval }: { readonly approval: Approval }): ReactNode {
  const campaignId = shownWith(approval);
  const request = <Request approval={approval} />;
  return campaignId === null ? request : <RequestedCampaign campaignId={campaignId}>{request}</RequestedCampaign>;
}

/** Says what will happen, and lets a person decide. */
export function ApprovalPage(): ReactNode {
  const { id = '' } = useParams();
  const mayDecide = useMay('decide');
  const query = useQuery({
    queryKey: ['approvals', id],
    queryFn: () => api.getApproval(id),
    refetchInterval: ({ state: { data } }) => (data && LOOKS_MS[data.state]) ?? false,
  });
  return (
    <Answer query={query} what="the approval">
      {(approval) => (
        <Page
          title="Approval"
          under={{ label: 'Approvals', to: '/approvals' }}
          actions={mayDecide && approval.state === 'pending' && <Decide approval={approval} />}
        >
          <Requested approval={approval} />
          {approval.decidedBy !== null && <Decision approval={approval} />}
        </Page>
      )}
    </Answer>
  );
}
