import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useMay, useSession } from '../../session/session.ts';
import { EXECUTION_TONES } from './executions.tsx';
import { Canvas } from './graph/canvas.tsx';
import { graphOf } from './graph/model.ts';
import { StepList } from './steps.tsx';

type Execution = Schemas['ExecutionDetail'];

const LIVE_MS = 2_000;

const isUnderWay = (status: Execution['status'] | undefined): boolean => status === 'running' || status === 'waiting';

const WAITS: Readonly<Record<NonNullable<Execution['waitingFor']>['kind'], string>> = {
  delay: 'Date and time',
  time: 'Time of day',
  event: 'Event',
  paused: 'Automation to be activated',
  disabled: 'Project to be enabled',
};

function TemporalLink({ temporal: { workflowId, runId } }: Pick<Execution, 'temporal'>): ReactNode {
  const { temporalUrl } = useSession();
  if (temporalUrl === null) return <code>{workflowId}</code>;
  const place = [workflowId, ...(runId === null ? [] : [runId])].map(encodeURIComponent).join('/');
  return (
    <a href={`${temporalUrl}/${place}`} target="_blank" rel="noreferrer">
      {workflowId}
    </a>
  );
}

const waitOf = ({ waitingFor }: Execution): string | null =>
  waitingFor && [WAITS[waitingFor.kind], waitingFor.event].filter(Boolean).join(': ');

const About = ({ execution }: { readonly execution: Execution }): ReactNode => (
  <Card title="Details" actions={<Badge of={execution.status} tone={EXECUTION_TONES[execution.status]} />}>
    <Facts
      facts={[
        [
          'Contact',
          execution.contactId !== null && (
            <Link key="contact" to={`/contacts/${execution.contactId}`}>
              {execution.email}
            </Link>
          ),
        ],
        ['Waiting for', waitOf(execution)],
        ['Until', execution.waitingUntil && <When key="until" at={execution.waitingUntil} />],
        ['Reason', execution.exitReason],
        ['Error', execution.error],
        ['Started', <When key="started" at={execution.startedAt} />],
        ['Finished', execution.finishedAt && <When key="finished" at={execution.finishedAt} />],
        ['Temporal workflow', <TemporalLink key="temporal" temporal={execution.temporal} />],
        ['Test mode', execution.testMode ? 'Nothing is delivered' : null],
      ]}
    />
  </Card>
);

function CancelButton({ execution: { workflowId, executionId } }: { readonly execution: Execution }): ReactNode {
  const queries = useQueryClient();
  const done = (): void => {
    void queries.invalidateQueries({ queryKey: ['executions', executionId] });
    void queries.invalidateQueries({ queryKey: ['automations', workflowId] });
  };
  return (
    <Confirm
      label="Cancel execution"
      title="Cancel this execution?"
      danger
      act={() => api.cancelExecution(workflowId, executionId)}
      done={done}
      said="Execution cancelled."
    >
      It ends at its current step. You cannot undo this.
    </Confirm>
  );
}

function Path({ execution }: { readonly execution: Execution }): ReactNode {
  const { steps } = execution;
  const [selected, select] = useState<string | null>(null);
  const graph = useMemo(() => graphOf(execution.graph), [execution.graph]);
  const marks = useMemo(() => ({ path: new Map(steps.map(({ nodeId, branch, finishedAt }) => [nodeId, finishedAt && branch])) }), [steps]);
  return (
    <>
      <Canvas label="Execution graph" graph={graph} marks={marks} selected={selected} select={select} />
      <div className="columns stack">
        <About execution={execution} />
        <Card title="History">
          <StepList graph={graph} steps={steps} />
        </Card>
      </div>
    </>
  );
}

/** Shows one contact on its way through an automation. */
export function ExecutionPage(): ReactNode {
  const { id = '' } = useParams();
  const mayChange = useMay('change');
  const query = useQuery({
    queryKey: ['executions', id],
    queryFn: () => api.getExecution(id),
    refetchInterval: ({ state }) => isUnderWay(state.data?.status) && LIVE_MS,
  });
  return (
    <Answer query={query} what="the execution">
      {(execution) => (
        <Page
          title={execution.email ?? 'Deleted contact'}
          under={{ label: 'Automation', to: `/automations/${execution.workflowId}` }}
          actions={mayChange && isUnderWay(execution.status) && <CancelButton execution={execution} />}
        >
          <Path execution={execution} />
        </Page>
      )}
    </Answer>
  );
}
