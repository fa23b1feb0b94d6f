import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { useFilters } from '../../parts/filters.ts';
import { count } from '../../parts/numbers.ts';
import { MAIL_VIEWS, OverTime } from '../../parts/over-time.tsx';
import type { View } from '../../parts/over-time.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { windowWords } from '../../parts/windows.ts';
import { useMay } from '../../session/session.ts';
import { AutomationActions } from './actions.tsx';
import { Executions } from './executions.tsx';
import { Canvas } from './graph/canvas.tsx';
import { faultsByNode } from './graph/faults.ts';
import { graphOf, wireOf } from './graph/model.ts';
import type { Graph } from './graph/model.ts';
import { useTitles } from './graph/titles.ts';
import { live } from './live.ts';
import { REENTRIES, TriggerWords } from './trigger-fields.tsx';

/** Shows what is wrong with the graph of an automation and does not stop it. Shows nothing if all is well. */
function Warnings({ workflowId, graph }: { readonly workflowId: string; readonly graph: Graph }): ReactNode {
  const { labelOf } = useTitles();
  const { data } = useQuery({
    queryKey: ['automations', workflowId, 'warnings', graph],
    queryFn: async () => (await api.checkWorkflow({ graph: wireOf(graph) })).warnings,
  });
  if (!data || data.length === 0) return null;
  return (
    <Card title="Warnings">
      <ul className="notice">
        {[...faultsByNode(graph, data)].flatMap(([id, own]) => {
          const node = graph.nodes.find((other) => other.id === id);
          return own.map(({ message }) => <li key={`${id} ${message}`}>{node ? `${labelOf(node)}: ${message}` : message}</li>);
        })}
      </ul>
    </Card>
  );
}

type Automation = Schemas['Workflow'];
type Stats = Schemas['WorkflowStats'];

type Counter = Exclude<keyof Schemas['WorkflowTimeline']['series'][number], 'at'>;

/** Curves of executions, and of the messages that they sent. */
const VIEWS: readonly View<Counter>[] = [
  {
    label: 'Executions',
    curves: [
      { name: 'entered', label: 'Entered', colour: '--series-2' },
      { name: 'completed', label: 'Completed', colour: '--series-1' },
      { name: 'exited', label: 'Exited', colour: '--series-5' },
      { name: 'cancelled', label: 'Cancelled', colour: '--series-3' },
      { name: 'failed', label: 'Failed', colour: '--series-4' },
    ],
  },
  ...MAIL_VIEWS,
];

function noteOf({ entered, waiting, skipped, failed, emails }: Stats['nodes'][number]): string {
  const figures = [
    `${count(entered)} entered`,
    waiting > 0 && `${count(waiting)} waiting`,
    skipped > 0 && `${count(skipped)} skipped`,
    failed > 0 && `${count(failed)} failed`,
    emails && emails.sent > 0 && `${count(emails.delivered)} delivered, ${count(emails.opened)} opened`,
  ];
  return figures.filter(Boolean).join(', ');
}

// The same figures in a table: a drawing can neither be read by ear nor sorted.
function Figures({ graph, stats: { nodes } }: { readonly graph: Graph; readonly stats: Stats }): ReactNode {
  const { labelOf } = useTitles();
  const known = new Map(graph.nodes.map((node) => [node.id, node]));
  return (
    <Table label="Statistics by step" columns={['Step', 'Entered', 'Waiting', 'Continued', 'Skipped', 'Failed']}>
      {nodes.map(({ nodeId, entered, waiting, completed, skipped, failed }) => {
        const node = known.get(nodeId);
        return (
          <tr key={nodeId}>
            <th scope="row">{node ? labelOf(node) : nodeId}</th>
            {Object.entries({ entered, waiting, completed, skipped, failed }).map(([name, figure]) => (
              <td key={name}>{count(figure)}</td>
            ))}
          </tr>
        );
      })}
    </Table>
  );
}

function About({ automation, stats }: { readonly automation: Automation; readonly stats: Stats | undefined }): ReactNode {
  return (
    <Card title="Details" actions={<Badge of={automation.status} tone={automation.status === 'active' ? 'good' : 'plain'} />}>
      <Facts
        facts={[
          ['Trigger', <TriggerWords key="trigger" trigger={automation.trigger} />],
          ['Re-entry', REENTRIES.find(([kind]) => kind === automation.reentry)?.[1]],
          ['Send window', automation.windows && windowWords(automation.windows)],
          ['Entered', count(automation.entered)],
          ['In progress', count(automation.active)],
          ['Completed', stats && count(stats.completed)],
          ['Exited', stats && count(stats.exited)],
          ['Failed', stats && count(stats.failed)],
          ['Cancelled', stats && count(stats.cancelled)],
          [
            'Messages',
            <Link key="messages" to={`/mail?workflowId=${automation.workflowId}`}>
              View in mail log
            </Link>,
          ],
          ['Created', <When key="created" at={automation.createdAt} />],
          ['Archived', automation.archivedAt && <When key="archived" at={automation.archivedAt} />],
        ]}
      />
    </Card>
  );
}

function Shown({ automation }: { readonly automation: Automation }): ReactNode {
  const { workflowId, status, createdAt, graph: stored } = automation;
  const graph = useMemo(() => graphOf(stored), [stored]);
  const { filters, setFilter } = useFilters(['nodeId']);
  const mayChange = useMay('change');
  const { data: stats } = useQuery({
    queryKey: ['automations', workflowId, 'stats'],
    queryFn: () => api.getWorkflowStats(workflowId),
    refetchInterval: live(status),
  });
  const marks = useMemo(() => ({ notes: new Map(stats?.nodes.map((node) => [node.nodeId, noteOf(node)])) }), [stats]);
  return (
    <>
      {mayChange && <Warnings workflowId={workflowId} graph={graph} />}
      <Canvas label="Automation graph" graph={graph} marks={marks} selected={filters.nodeId} select={(id) => setFilter('nodeId', id)} />
      <p className="hint">Select a step to list the contacts at it.</p>
      <div className="columns stack">
        <About automation={automation} stats={stats} />
        <Card title="Steps">{stats && <Figures graph={graph} stats={stats} />}</Card>
      </div>
      <OverTime
        title="Automation over time"
        views={VIEWS}
        queryKey={['automations', workflowId]}
        fetch={(step) => api.getWorkflowTimeline(workflowId, { step })}
        since={createdAt}
        isLive={status === 'active'}
      />
      <Card title="Executions">
        <Executions automation={automation} graph={graph} />
      </Card>
    </>
  );
}

/** Shows one automation: drawn, with how many are where, and everybody who went through it. */
export function AutomationPage(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: ['automations', id],
    queryFn: () => api.getWorkflow(id),
    refetchInterval: ({ state }) => live(state.data?.status),
  });
  return (
    <Answer query={query} what="the automation">
      {(automation) => (
        <Page
          title={automation.name}
          under={{ label: 'Automations', to: '/automations' }}
          actions={<AutomationActions automation={automation} />}
        >
          <Shown automation={automation} />
        </Page>
      )}
    </Answer>
  );
}
