import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { ProgressBar, isOver, rowsOf } from './import-progress.tsx';
import { RefusedRows } from './refused-rows.tsx';
import './import.css';

type Job = Schemas['ImportJob'];

const LOOK_AGAIN_MS = 1_000;

const Refused = ({ job: { importId, errors, failed } }: { readonly job: Job }): ReactNode => (
  <Card title="Rejected rows" actions={<RefusedRows importId={importId} label="Download as CSV" />}>
    {failed > errors.length && <p className="hint">Showing the first {count(errors.length)}.</p>}
    <Table label="Rejected rows, as a table" columns={['Row', 'Email', 'Reason']}>
      {errors.map(({ row, email, message }) => (
        <tr key={row}>
          <td>{count(row)}</td>
          <td>{email}</td>
          <td>{message}</td>
        </tr>
      ))}
    </Table>
  </Card>
);

const Progress = ({ job }: { readonly job: Job }): ReactNode => (
  <Card title="Progress" actions={<Badge of={job.status} />}>
    <ProgressBar job={job} />
    <div aria-live="polite">
      {job.error !== null && <p className="notice bad">{job.error}</p>}
      {job.status === 'completed' && (
        <p className="notice good">
          All {count(job.processed)} rows processed. <Link to="/contacts">View contacts</Link>
        </p>
      )}
    </div>
    <Facts
      facts={[
        ['Rows', rowsOf(job)],
        ['Created', count(job.created)],
        ['Updated', count(job.updated)],
        ['Duplicates', count(job.skipped)],
        ['Rejected', count(job.failed)],
        ['Started', <When key="started" at={job.startedAt} />],
        ['Finished', job.finishedAt && <When key="finished" at={job.finishedAt} />],
      ]}
    />
  </Card>
);

/** Shows the progress of an import. It continues in the background: you can leave this page and come back. */
export function ImportJobPage(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: ['imports', id],
    queryFn: () => api.getImport(id),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : LOOK_AGAIN_MS),
  });
  return (
    <Page title="Import" under={{ label: 'Imports', to: '/contacts/import' }}>
      <Answer query={query} what="the import">
        {(job) => (
          <>
            <Progress job={job} />
            {job.errors.length > 0 && <Refused job={job} />}
          </>
        )}
      </Answer>
    </Page>
  );
}
