import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts } from '../../parts/page.tsx';
import { save } from '../../parts/save.ts';
import { Table } from '../../parts/table.tsx';
import type { KeptMove } from './kept.ts';
import type { Outcome, Progress } from './messages.ts';
import { nameOf } from './services.ts';
import type { Move } from './use-move.ts';

const STEPS: Readonly<Record<Progress['step'], string>> = {
  suppressions: 'Blocking addresses',
  topics: 'Creating topics',
  contacts: 'Importing contacts',
  segments: 'Filling segments',
  templates: 'Creating templates',
};

/** Shows how far an import is. It ends when its page is left, except for contacts that are uploaded. */
export const Progressing = ({ progress }: { readonly progress: Progress | null }): ReactNode => (
  <Card title="Importing">
    <p role="status">{progress ? STEPS[progress.step] : 'Starting'} …</p>
    <progress
      aria-label="Progress of this step"
      {...(progress && progress.total !== null && { max: Math.max(progress.total, 1), value: progress.done })}
    />
    <p>{progress && progress.total !== null && `${count(progress.done)} of ${count(progress.total)}`}</p>
    <p className="hint">Keep this page open. If it is interrupted, import the same files again: nothing is imported twice.</p>
  </Card>
);

const MOST_PROBLEMS = 50;

const Problems = ({ problems }: { readonly problems: readonly string[] }): ReactNode =>
  problems.length > 0 && (
    <>
      <p>
        {count(problems.length)} not imported{problems.length > MOST_PROBLEMS && `; these are the first ${MOST_PROBLEMS}`}:
      </p>
      <ul className="problems">
        {problems.slice(0, MOST_PROBLEMS).map((problem, at) => (
          // Two rows may have the same fault.
          <li key={`${at} ${problem}`}>{problem}</li>
        ))}
      </ul>
    </>
  );

const reportOf = ({ service, numbers, outcome, importId }: Move): Blob =>
  new Blob([`${JSON.stringify({ service, at: new Date().toISOString(), importId, holds: numbers, outcome }, null, 2)}\n`], {
    type: 'application/json',
  });

interface ResultProps {
  readonly move: Move;
  readonly outcome: Outcome;
}

/** Shows what an import did. */
export const Result = ({ move, outcome }: ResultProps): ReactNode => (
  <Card
    title="Result"
    actions={
      <button type="button" onClick={() => save(reportOf(move), `${move.service}-import.json`)}>
        Download report
      </button>
    }
  >
    <div aria-live="polite">
      <p className="notice good">Everything that can be imported is imported. Import the files again on the day that you move.</p>
    </div>
    <Facts
      facts={[
        ['Contacts created', count(outcome.contacts.created)],
        ['Contacts that existed', count(outcome.contacts.updated)],
        ['Rejected rows', count(outcome.contacts.failed)],
        ['Blocked addresses', count(outcome.suppressions)],
        ['Topics created', count(outcome.topics)],
        ['Segments filled', count(outcome.segments)],
        ['Templates created', count(outcome.templates)],
      ]}
    />
    <Problems problems={outcome.problems} />
  </Card>
);

/** Shows the imports of this browser, with what the platform keeps of each. */
export const Kept = ({ moves }: { readonly moves: readonly KeptMove[] }): ReactNode =>
  moves.length > 0 && (
    <Card title="Imports in this browser">
      <Table
        label="Imports in this browser, as a table"
        columns={['Finished', 'Service', 'Created', 'Were there', 'Blocked', 'Topics', 'Segments', 'Templates', 'Left out', 'Contacts']}
      >
        {moves.map(({ at, service, created, updated, suppressions, topics, segments, templates, leftOut, importId }) => (
          <tr key={at}>
            <td>
              <When at={at} />
            </td>
            <td>{nameOf(service)}</td>
            {[created, updated, suppressions, topics, segments, templates, leftOut].map((number, column) => (
              <td key={column}>{count(number)}</td>
            ))}
            <td>{importId !== null && <Link to={`/contacts/import/${importId}`}>Rows</Link>}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
