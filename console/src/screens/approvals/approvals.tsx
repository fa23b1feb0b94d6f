import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { ApprovalState } from './state.tsx';

type Approval = Schemas['Approval'];

/** Interval for looking for new requests. */
const EVERY_MS = 10_000;

const COLUMNS = [
  {
    name: 'What will happen',
    show: ({ approvalId, summary }: Approval) => (
      <Link to={`/approvals/${approvalId}`} className="row-link">
        {summary.text}
      </Link>
    ),
  },
  { name: 'Status', show: ({ state }: Approval) => <ApprovalState state={state} /> },
  { name: 'Requested by', show: ({ requestedBy }: Approval) => <code>{requestedBy}</code> },
  { name: 'Requested', show: ({ createdAt }: Approval) => <When at={createdAt} /> },
  { name: 'Expires', show: ({ state, expiresAt }: Approval) => (state === 'pending' ? <When at={expiresAt} /> : null) },
];

/** Lists what agents and persons have requested, newest first. */
export const Approvals = (): ReactNode => (
  <Page title="Approvals">
    <List
      caption="approvals"
      queryKey={['approvals', 'list']}
      rows={() => api.listApprovals()}
      idOf={({ approvalId }) => approvalId}
      columns={COLUMNS}
      changesIn={() => EVERY_MS}
      empty={
        <Empty title="No approvals yet">
          <p>
            An agent that wants to reach more than one person requests it here: to launch a campaign, activate an automation, send a batch,
            import contacts or remove a suppression. Nothing happens until a person approves.
          </p>
        </Empty>
      }
    />
  </Page>
);
