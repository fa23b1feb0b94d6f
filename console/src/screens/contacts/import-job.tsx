import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import './import.css';

type Job = Schemas['ImportJob'];

const LOOK_AGAIN_MS = 1_000;

const isOver = ({ status }: Job): boolean => status === 'completed' || status === 'failed';

/** A cell of a CSV file. One that a spreadsheet would take for a formula is made a text. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

const fileOf = (errors: Job['errors']): Blob =>
  new Blob(['row,email,message\r\n', ...errors.map(({ row, email, message }) => `${row},${cell(email ?? '')},${cell(message)}\r\n`)], {
    type: 'text/csv;charset=utf-8',
  });

/** A link to the rows that could not be used, as a file. */
function BadRows({ importId, errors }: Pick<Job, 'importId' | 'errors'>): ReactNode {
  const href = useMemo(() => URL.createObjectURL(fileOf(errors)), [errors]);
  useEffect(() => () => URL.revokeObjectURL(href), [href]);
  return (
    <a className="button" href={href} download={`${importId}-refused.csv`}>
      Download as a file
    </a>
  );
}

const Refused = ({ job: { importId, errors, failed } }: { readonly job: Job }): ReactNode => (
  <Card title="Rows that could not be used" actions={<BadRows importId={importId} errors={errors} />}>
    {failed > errors.length && <p className="hint">The first {count(errors.length)} are here.</p>}
    <div className="scroll" tabIndex={0} role="group" aria-label="Rows that could not be used">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Address</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ row, email, message }) => (
            <tr key={row}>
              <td>{count(row)}</td>
              <td>{email}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Card>
);

const Progress = ({ job }: { readonly job: Job }): ReactNode => (
  <Card title="Progress" actions={<Badge of={job.status} />}>
    {!isOver(job) && (
      <progress
        aria-label="Rows that were gone through"
        {...(job.totalRows !== null && { max: Math.max(job.totalRows, 1), value: job.processed })}
      />
    )}
    <div aria-live="polite">
      {job.error !== null && <p className="notice bad">{job.error}</p>}
      {job.status === 'completed' && (
        <p className="notice good">
          All {count(job.processed)} rows were gone through. <Link to="/contacts">See the contacts</Link>
        </p>
      )}
    </div>
    <Facts
      facts={[
        ['Rows', job.totalRows === null ? 'being counted' : `${count(job.processed)} of ${count(job.totalRows)}`],
        ['Created', count(job.created)],
        ['Updated', count(job.updated)],
        ['Superseded', count(job.skipped)],
        ['Refused', count(job.failed)],
        ['Begun', <When key="begun" at={job.startedAt} />],
        ['Ended', job.finishedAt && <When key="ended" at={job.finishedAt} />],
      ]}
    />
  </Card>
);

/** How far an import is. It goes on by itself: this page can be left, and come back to. */
export function ImportJobPage(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: ['imports', id],
    queryFn: () => api.getImport(id),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : LOOK_AGAIN_MS),
  });
  return (
    <Page title="Import" under={{ label: 'Contacts', to: '/contacts' }}>
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
