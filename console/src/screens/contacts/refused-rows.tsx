import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { cell } from '../../parts/csv.ts';
import { save } from '../../parts/save.ts';

type Job = Schemas['ImportJob'];

const fileOf = (errors: Job['errors']): Blob =>
  new Blob(['row,email,message\r\n', ...errors.map(({ row, email, message }) => `${row},${cell(email ?? '')},${cell(message)}\r\n`)], {
    type: 'text/csv;charset=utf-8',
  });

interface RefusedRowsProps {
  readonly importId: string;
  readonly label: string;
  /** Names the import, for people who do not see the button's position. */
  readonly description?: string;
}

/** Gives the rows of an import that could not be used as a file. */
export function RefusedRows({ importId, label, description }: RefusedRowsProps): ReactNode {
  const fetching = useMutation({
    mutationFn: () => api.getImport(importId),
    onSuccess: ({ errors }) => save(fileOf(errors), `${importId}-refused.csv`),
  });
  return (
    <>
      <button type="button" aria-label={description} disabled={fetching.isPending} onClick={() => fetching.mutate()}>
        {label}
      </button>
      {fetching.isError && <p className="fault">{fetching.error.message}</p>}
    </>
  );
}
