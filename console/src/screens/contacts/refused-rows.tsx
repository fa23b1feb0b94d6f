import type { ReactNode } from 'react';
import { ActionButton } from '../../parts/action-button.tsx';
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
export const RefusedRows = ({ importId, label, description }: RefusedRowsProps): ReactNode => (
  <ActionButton
    label={label}
    description={description}
    act={() => api.getImport(importId)}
    done={({ errors }) => save(fileOf(errors), `${importId}-refused.csv`)}
  />
);
