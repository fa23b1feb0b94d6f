import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { count } from '../../parts/numbers.ts';

type Job = Pick<Schemas['ImportSummary'], 'status' | 'totalRows' | 'processed'>;

export const isOver = ({ status }: Pick<Job, 'status'>): boolean => status === 'completed' || status === 'failed';

/** Returns the number of processed rows as text. */
export const rowsOf = ({ totalRows, processed }: Job): string =>
  totalRows === null ? 'counting …' : `${count(processed)} of ${count(totalRows)}`;

/** Shows the progress of an import, as a bar until it is over. */
export const ProgressBar = ({ job }: { readonly job: Job }): ReactNode =>
  !isOver(job) && (
    <progress aria-label="Processed rows" {...(job.totalRows !== null && { max: Math.max(job.totalRows, 1), value: job.processed })} />
  );

/** Shows progress as a bar and in words. */
export const ImportProgress = ({ job }: { readonly job: Job }): ReactNode => (
  <>
    <ProgressBar job={job} /> {rowsOf(job)}
  </>
);
