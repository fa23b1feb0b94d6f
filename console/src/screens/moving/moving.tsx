import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useDrop } from '../../parts/drop.ts';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { count } from '../../parts/numbers.ts';
import { Page, Card, Facts } from '../../parts/page.tsx';
import { Loading } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { useSession } from '../../session/session.ts';
import { keepMove, keptMoves } from './kept.ts';
import type { Numbers } from './messages.ts';
import { Kept, Progressing, Result } from './result.tsx';
import { SERVICES, filesOf, isService } from './services.ts';
import type { Service } from './services.ts';
import { useMove } from './use-move.ts';
import './moving.css';

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
function DryRun({ numbers, fault, bring }: DryRunProps): ReactNode {
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

interface FilesProps {
  readonly service: Service;
  readonly choose: (service: Service) => void;
  readonly take: (files: readonly File[]) => void;
  readonly disabled: boolean;
}

/** Takes the files of an export: chosen, or dropped. */
function Files({ service, choose, take, disabled }: FilesProps): ReactNode {
  const given = (list: FileList | null): void => {
    const files = [...(list ?? [])];
    if (files.length > 0 && !disabled) take(files);
  };
  const { isOver, handlers } = useDrop(given);
  return (
    <Card title="Your export">
      <div className={isOver ? 'drop over' : 'drop'} {...handlers}>
        <ChoiceField
          label="Service"
          value={service}
          change={(chosen) => isService(chosen) && choose(chosen)}
          options={SERVICES.map(([id, name]) => [id, name] as const)}
        />
        <div className="field">
          <label htmlFor="export">Files of the export</label>
          <input
            id="export"
            type="file"
            multiple
            disabled={disabled}
            aria-describedby="export-hint"
            onClick={({ currentTarget }) => (currentTarget.value = '')}
            onChange={({ target }) => given(target.files)}
          />
          <p id="export-hint" className="hint">
            {filesOf(service)} You can also drop the files here. They are read in your browser, and nothing is sent yet.
          </p>
        </div>
      </div>
    </Card>
  );
}

/** Imports what was exported from another service, once it is shown what that is. */
export function Moving(): ReactNode {
  const { project } = useSession();
  const [service, setService] = useState<Service>('mailchimp');
  const [kept, setKept] = useState(() => keptMoves(project.id));
  const { move, read, bring, clear } = useMove((done) => setKept(keepMove(project.id, done)));
  const { step, numbers, outcome } = move;
  const choose = (chosen: Service): void => {
    clear();
    setService(chosen);
  };
  return (
    <Page title="Import from another service">
      <Unsaved is={step === 'importing'} title="Stop the import?" leave="Stop and leave" stay="Stay">
        The import is not complete. You can import the same files again later.
      </Unsaved>
      <Files service={service} choose={choose} take={(files) => read(service, files)} disabled={step === 'importing'} />
      {step === 'reading' && <Loading what="the files" />}
      {step === 'nothing' && move.fault !== null && (
        <p role="alert" className="notice bad">
          {move.fault}
        </p>
      )}
      {numbers && <DryRun numbers={numbers} fault={move.fault} bring={step === 'read' ? bring : null} />}
      {step === 'importing' && <Progressing progress={move.progress} />}
      {step === 'done' && outcome && <Result move={move} outcome={outcome} />}
      <Kept moves={kept} />
    </Page>
  );
}
