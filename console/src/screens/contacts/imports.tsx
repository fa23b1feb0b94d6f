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
      {count(failed)} <RefusedRows importId={importId} label="Download" description={`Download rejected rows of ${createdAt}`} />
    </>
  );

const COLUMNS = [
  {
    name: 'Started',
    show: ({ importId, createdAt }: Job) => (
      <Link to={`/contacts/import/${importId}`} className="row-link">
        <When at={createdAt} />
      </Link>
    ),
  },
  {
    name: 'Status',
    show: ({ status, error }: Job) => (
      <>
        <Badge of={status} /> <span className="reason">{error ?? ''}</span>
      </>
    ),
  },
  { name: 'Rows', show: (job: Job) => <ImportProgress job={job} /> },
  { name: 'Created', show: ({ created }: Job) => count(created) },
  { name: 'Updated', show: ({ updated }: Job) => count(updated) },
  { name: 'Rejected', show: (job: Job) => <Refused job={job} /> },
];

/** Shows the imports of the last thirty days, to come back to. */
export const Imports = (): ReactNode => (
  <section className="imports" aria-labelledby="imports">
    <h2 id="imports">Imports in the last 30 days</h2>
    <List
      caption="imports"
      queryKey={['imports']}
      rows={() => api.listImports()}
      idOf={({ importId }) => importId}
      columns={COLUMNS}
      changesIn={(jobs) => !jobs.every(isOver) && LOOK_AGAIN_MS}
      empty={
        <Empty title="No imports yet">
          <p>Choose a CSV file above. The import runs in the background and is listed here for 30 days.</p>
        </Empty>
      }
    />
  </section>
);
