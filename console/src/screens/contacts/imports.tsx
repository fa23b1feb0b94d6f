import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Empty } from '../../parts/states.tsx';
import { ImportProgress, isOver } from './import-progress.tsx';
import { RefusedRows } from './refused-rows.tsx';

type Job = Schemas['ImportSummary'];

const LOOK_AGAIN_MS = 2_000;

const Refused = ({ job: { importId, failed, createdAt } }: { readonly job: Job }): ReactNode =>
  failed === 0 ? (
    '0'
  ) : (
    <>
      {count(failed)} <RefusedRows importId={importId} label="As a file" description={`Refused rows of ${createdAt} as a file`} />
    </>
  );

const COLUMNS = [
  {
    name: 'Begun',
    show: ({ importId, createdAt }: Job) => (
      <Link to={`/contacts/import/${importId}`} className="row-link">
        <When at={createdAt} />
      </Link>
    ),
  },
  {
    name: 'State',
    show: ({ status, error }: Job) => (
      <>
        <Badge of={status} /> <span className="reason">{error ?? ''}</span>
      </>
    ),
  },
  { name: 'Rows', show: (job: Job) => <ImportProgress job={job} /> },
  { name: 'New', show: ({ created }: Job) => count(created) },
  { name: 'Updated', show: ({ updated }: Job) => count(updated) },
  { name: 'Refused', show: (job: Job) => <Refused job={job} /> },
];

/** The imports of the last thirty days, to come back to. */
export const Imports = (): ReactNode => (
  <section className="imports" aria-labelledby="imports">
    <h2 id="imports">Imports of the last 30 days</h2>
    <List
      caption="imports"
      queryKey={['imports']}
      rows={() => api.listImports()}
      idOf={({ importId }) => importId}
      columns={COLUMNS}
      changesIn={(jobs) => !jobs.every(isOver) && LOOK_AGAIN_MS}
      empty={
        <Empty title="Nothing was imported yet">
          <p>An import goes on by itself once its file has arrived, and is here until thirty days later.</p>
        </Empty>
      }
    />
  </section>
);
