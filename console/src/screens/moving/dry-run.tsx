import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { TextField } from '../../parts/fields.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import type { Numbers } from './messages.ts';

const MOST_NAMES = 10;

const names = (list: readonly string[]): string =>
  list.length === 0 ? '0' : `${count(list.length)}: ${list.slice(0, MOST_NAMES).join(', ')}${list.length > MOST_NAMES ? ' …' : ''}`;

const REASONS = [
  ['hard_bounce', 'Bounced addresses'],
  ['complaint', 'Complaints'],
  ['unsubscribe', 'Unsubscribed addresses'],
  ['manual', 'Blocked addresses'],
] as const;

const Holdings = ({ numbers }: { readonly numbers: Numbers }): ReactNode => (
  <Facts
    facts={[
      ['Contacts', count(numbers.contacts)],
      ['Unsubscribed contacts', count(numbers.optedOut)],
      ...REASONS.map(([reason, name]) => [name, count(numbers.suppressions[reason] ?? 0)] as const),
      ['Topics', names(numbers.topics)],
      ['Segments', names(numbers.segments)],
      ['Custom fields', names(numbers.customFields)],
      ['Templates', names(numbers.templates)],
    ]}
  />
);

const LeftOut = ({ numbers: { leftOut } }: { readonly numbers: Numbers }): ReactNode =>
  leftOut.length > 0 && (
    <Table label="Skipped, as a table" columns={['Skipped', 'Reason']}>
      {leftOut.map(({ count: number, reason }) => (
        <tr key={reason}>
          <td>{count(number)}</td>
          <td>{reason}</td>
        </tr>
      ))}
    </Table>
  );

interface DryRunProps {
  readonly numbers: Numbers;
  readonly fault: string | null;
  /** Imports what was read. Null where an import is under way or over. */
  readonly bring: ((from: string) => void) | null;
}

/** Shows what an export holds, before anything is sent, and the button that imports it. */
export function DryRun({ numbers, fault, bring }: DryRunProps): ReactNode {
  const [from, setFrom] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    bring?.(from.trim());
  };
  return (
    <Card title="Contents of the export">
      <Holdings numbers={numbers} />
      <LeftOut numbers={numbers} />
      {bring && (
        <form className="move-form" onSubmit={submit}>
          {numbers.templates.length > 0 && (
            <TextField
              label="From address of templates"
              type="email"
              value={from}
              change={setFrom}
              hint="An address at a verified domain. Without it, templates are left out."
            />
          )}
          <p className="hint">
            Contacts that unsubscribed there are unsubscribed here, and contacts that unsubscribed here stay unsubscribed. Importing again
            changes nothing.
          </p>
          <button type="submit" className="primary">
            Import
          </button>
        </form>
      )}
      <div aria-live="polite">{fault !== null && <p className="notice bad">{fault}</p>}</div>
    </Card>
  );
}
