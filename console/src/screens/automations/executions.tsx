import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { given, useFilters } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import type { Graph } from './graph/model.ts';
import { useTitles } from './graph/titles.ts';
import type { Titles } from './graph/titles.ts';
import { live } from './live.ts';

type Execution = Schemas['Execution'];
type Query = NonNullable<Parameters<typeof api.listExecutions>[1]>;

export const EXECUTION_TONES = {
  completed: 'good',
  exited: 'good',
  failed: 'bad',
  cancelled: 'warn',
  waiting: 'plain',
  running: 'plain',
} as const;

const STATUSES = [
  ['', 'Any'],
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['completed', 'Completed'],
  ['exited', 'Exited'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
] as const;

const columnsOf = ({ nodes }: Graph, labelOf: Titles['labelOf']) => [
  {
    name: 'Contact',
    show: ({ executionId, email }: Execution) => (
      <Link to={`/executions/${executionId}`} className="row-link">
        {email ?? 'Deleted contact'}
      </Link>
    ),
  },
  {
    name: 'Status',
    show: ({ status }: Execution) => <Badge of={status} tone={EXECUTION_TONES[status]} />,
    sortValue: ({ status }: Execution) => status,
  },
  {
    name: 'Step',
    show: ({ currentNodeId, exitReason, error }: Execution) => {
      const node = nodes.find(({ id }) => id === currentNodeId);
      return <span className="reason">{error ?? exitReason ?? (node ? labelOf(node) : '')}</span>;
    },
  },
  { name: 'Started', show: ({ startedAt }: Execution) => <When at={startedAt} />, sortValue: ({ startedAt }: Execution) => startedAt },
  { name: 'Finished', show: ({ finishedAt }: Execution) => <When at={finishedAt} />, sortValue: ({ finishedAt }: Execution) => finishedAt },
];

interface Props {
  readonly automation: Schemas['Workflow'];
  readonly graph: Graph;
}

/** Lists the executions of an automation, newest first. */
export function Executions({ automation: { workflowId, status, entered, active, completed }, graph }: Props): ReactNode {
  const { labelOf } = useTitles();
  const { filters, setFilter, isFiltered } = useFilters(['status', 'nodeId']);
  const query = given({ ...filters, limit: 50 }) as Query;
  return (
    <>
      <div className="filters">
        <ChoiceField label="Status" value={filters.status} change={(chosen) => setFilter('status', chosen)} options={STATUSES} />
        <ChoiceField
          label="Current step"
          value={filters.nodeId}
          change={(chosen) => setFilter('nodeId', chosen)}
          options={[['', 'Any'], ...graph.nodes.map((node) => [node.id, labelOf(node)] as const)]}
        />
      </div>
      <List
        caption="executions"
        queryKey={['automations', workflowId, 'executions', query, entered, active, completed]}
        rows={() => api.listExecutions(workflowId, query)}
        idOf={({ executionId }) => executionId}
        columns={columnsOf(graph, labelOf)}
        // From running to waiting, no figure of the key changes.
        changesIn={() => live(status)}
        empty={<p className="hint">{isFiltered ? 'No matching executions.' : 'No contact has entered yet.'}</p>}
      />
    </>
  );
}
