import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cell } from '../../parts/csv.ts';
import { count } from '../../parts/numbers.ts';
import { Card, Facts } from '../../parts/page.tsx';
import { save } from '../../parts/save.ts';
import { Table } from '../../parts/table.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { NOTE_LENGTH } from './rows.ts';
import type { Rejected } from './rows.ts';
import type { useImport } from './use-import.ts';

/** Rejected rows that the page shows; the file has all. */
const MOST_SHOWN = 100;

const fileOf = (rejected: readonly Rejected[]): Blob =>
  new Blob(['\uFEFFline,email,message\r\n', ...rejected.map(({ line, email, message }) => `${line},${cell(email)},${cell(message)}\r\n`)], {
    type: 'text/csv;charset=utf-8',
  });

const RejectedRows = ({ rejected }: { readonly rejected: readonly Rejected[] }): ReactNode => (
  <Card
    title="Rejected rows"
    actions={
      <button type="button" onClick={() => save(fileOf(rejected), 'rejected-suppressions.csv')}>
        Download as CSV
      </button>
    }
  >
    {rejected.length > MOST_SHOWN && <p className="hint">Showing the first {count(MOST_SHOWN)}.</p>}
    <Table label="Rejected rows, as a table" columns={['Line', 'Email', 'Reason']}>
      {rejected.slice(0, MOST_SHOWN).map(({ line, email, message }) => (
        <tr key={line}>
          <td>{count(line)}</td>
          <td>{email}</td>
          <td>{message}</td>
        </tr>
      ))}
    </Table>
  </Card>
);

type Import = ReturnType<typeof useImport>;

interface ResultProps extends Pick<Import, 'importing'> {
  readonly progress: NonNullable<Import['progress']>;
}

/** Shows how far an import is, what came of it, and what was rejected. */
export function ImportResult({ progress, importing }: ResultProps): ReactNode {
  const { total, done, added, unchanged, rejected, cutNotes } = progress;
  const { error, isPending, mutate } = importing;
  return (
    <>
      <Card title="Progress">
        {isPending && (
          <>
            <progress aria-label="Imported rows" max={Math.max(total, 1)} value={done} /> {count(done)} of {count(total)}
          </>
        )}
        <div aria-live="polite">
          {error && (
            <p className="notice bad">
              The import stopped: {error.message}{' '}
              <button type="button" onClick={() => mutate()}>
                Continue the import
              </button>
            </p>
          )}
          {!isPending && done === total && (
            <p className="notice good">
              The import is complete. <Link to="/suppressions">View suppressions</Link>
            </p>
          )}
        </div>
        <Facts
          facts={[
            ['Added', count(added)],
            ['Unchanged', count(unchanged)],
            ['Rejected', count(rejected.length)],
          ]}
        />
        {cutNotes > 0 && (
          <p className="hint">
            Notes cut at {count(NOTE_LENGTH)} characters: {count(cutNotes)}
          </p>
        )}
      </Card>
      {rejected.length > 0 && <RejectedRows rejected={rejected.toSorted((a, b) => a.line - b.line)} />}
      <Unsaved is={isPending} title="Stop the import?" stay="Keep importing" leave="Stop the import">
        Addresses that were imported stay suppressed. Import the file again to add the others.
      </Unsaved>
    </>
  );
}
