import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { ApprovalState } from './state.tsx';

type Approval = Schemas['Approval'];

/** While it is carried out, and while somebody else may decide. */
const LOOKS_MS: Readonly<Partial<Record<Approval['state'], number>>> = { approved: 1_000, pending: 10_000 };

function Decide({ approval: { approvalId, summary } }: { readonly approval: Approval }): ReactNode {
  const queries = useQueryClient();
  const done = (): void => void queries.invalidateQueries({ queryKey: ['approvals'] });
  return (
    <>
      <Confirm label="Reject" title="Reject this?" danger act={() => api.rejectApproval(approvalId, {})} done={done}>
        Nothing happens. It can be requested again.
      </Confirm>
      <Confirm label="Approve" title="Approve this?" primary act={() => api.approveApproval(approvalId, {})} done={done}>
        {summary.text} Sent messages cannot be recalled.
      </Confirm>
    </>
  );
}

/** Returns links to the screen that shows the subject of a request, where there is one. */
function subjectOf({ operation, parameters }: Approval): ReactNode {
  const id = String(parameters['id']);
  if (operation === 'sendCampaign' || operation === 'resumeCampaign') return <Link to={`/campaigns/${id}`}>Open the campaign</Link>;
  return operation === 'updateWorkflow' ? <Link to={`/automations/${id}`}>Open the automation</Link> : null;
}

/** Names the first ones of those whom a request names. */
const firstOf = ({ first, recipients }: Approval['summary']): string | null =>
  first.length === 0 ? null : first.join(', ') + (recipients !== null && recipients > first.length ? ' and others' : '');

/** Says what will happen, and lets a person decide. */
export function ApprovalPage(): ReactNode {
  const { id = '' } = useParams();
  const mayChange = useMay('decide');
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
          actions={mayChange && approval.state === 'pending' && <Decide approval={approval} />}
        >
          <Card title="What will happen" actions={<ApprovalState state={approval.state} />}>
            <p>{approval.summary.text}</p>
            <Facts
              facts={[
                ['Subject', approval.summary.subject],
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
          {approval.decidedBy !== null && (
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
          )}
        </Page>
      )}
    </Answer>
  );
}
