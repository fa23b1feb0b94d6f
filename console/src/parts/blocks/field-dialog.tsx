import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { Dialog } from '../dialog.tsx';
import { TextField } from '../fields.tsx';
import { useOfferedFields, useOfferedTranslations } from './fields.ts';
import { LONGEST_LABEL, isLiteral } from './model.ts';
import { chipNamed } from './rich-dom.ts';
import type { Chip } from './rich-dom.ts';
import { WhoSees } from './who-sees.tsx';

interface PickerProps {
  /** Names of the elements of repetitions around the text. */
  readonly names: readonly string[];
  readonly choose: (chip: Chip) => void;
}

/** A search finds the others. */
const MOST_SHOWN = 100;

function FieldPicker({ names, choose }: PickerProps): ReactNode {
  const fields = useOfferedFields(names);
  const offered = [...fields, ...useOfferedTranslations()];
  const [field, setField] = useState('');
  const [fallback, setFallback] = useState('');
  const search = field.trim().toLowerCase();
  const found = offered.filter(({ path, label }) => path.toLowerCase().includes(search) || label.toLowerCase().includes(search));
  const isExact = offered.some(({ path }) => path === field);
  const chip = chipNamed(field.trim(), fallback.trim() || undefined);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (chip) choose(chip);
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label="Field"
        hint="Choose a field or a translation, or write the name of a value that you send, such as order.number."
        value={field}
        change={setField}
        autoComplete="off"
        required
      />
      {found.length > 0 && !isExact && (
        <ul className="offered-fields" aria-label="Fields">
          {found.slice(0, MOST_SHOWN).map(({ path, label, type }) => (
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
        <button type="submit" className="primary" disabled={!chip}>
          Insert field
        </button>
      </div>
    </form>
  );
}

interface FieldDialogProps extends PickerProps {
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Shows a window that chooses a field whose value is shown, or a translation, and what is shown where a reader has none. */
export const FieldDialog = ({ isOpen, close, ...picker }: FieldDialogProps): ReactNode => (
  <Dialog title="Insert field" isOpen={isOpen} close={close}>
    <FieldPicker {...picker} />
  </Dialog>
);
