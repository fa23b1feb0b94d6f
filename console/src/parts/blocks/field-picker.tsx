import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { TextField } from '../fields.tsx';
import { useOfferedFields } from './fields.ts';
import { LONGEST_LABEL, isLiteral, isPath } from './model.ts';
import { WhoSees } from './who-sees.tsx';

interface PickerProps {
  /** Names of the elements of repetitions around the text. */
  readonly names: readonly string[];
  readonly choose: (field: string, fallback: string | undefined) => void;
}

/** Chooses a field whose value is shown, and what is shown where a reader has none. */
export function FieldPicker({ names, choose }: PickerProps): ReactNode {
  const fields = useOfferedFields(names);
  const [field, setField] = useState('');
  const [fallback, setFallback] = useState('');
  const search = field.trim().toLowerCase();
  const found = fields.filter(({ path, label }) => path.toLowerCase().includes(search) || label.toLowerCase().includes(search));
  const isExact = fields.some(({ path }) => path === field);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    choose(field.trim(), fallback.trim() || undefined);
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label="Field"
        hint="Choose one, or write the name of a value that you send, such as order.number."
        value={field}
        change={setField}
        autoComplete="off"
        required
      />
      {found.length > 0 && !isExact && (
        <ul className="offered-fields" aria-label="Fields">
          {found.map(({ path, label, type }) => (
            <li key={path}>
              <button type="button" onClick={() => setField(path)}>
                <span>{label}</span>
                <code>{path}</code>
                <span className="badge">{type}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <TextField
        label="Fallback"
        hint="Shown where a reader has no value. Empty: nothing is shown."
        value={fallback}
        change={(text) => isLiteral(text) && setFallback(text)}
        maxLength={LONGEST_LABEL}
      />
      {fields.some(({ path, type }) => path === field && type !== 'link') && (
        <WhoSees label="Who has no value" match="all" tests={[{ field, operator: 'absent' }]} />
      )}
      <div className="actions">
        <button type="submit" className="primary" disabled={!isPath(field.trim())}>
          Insert field
        </button>
      </div>
    </form>
  );
}
