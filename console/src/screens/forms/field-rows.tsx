import type { ReactNode } from 'react';
import { numbered, withRow } from '../../parts/conditions/language.ts';
import { CheckField, ChoiceField, TextField } from '../../parts/fields.tsx';
import { NEW_FIELD } from './written.ts';
import type { Field } from './written.ts';

const MOST = 30;

const TYPES = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['boolean', 'Checkbox'],
  ['date', 'Date'],
] as const;

interface RowProps {
  readonly field: Field;
  readonly number: number;
  readonly change: (field: Field | null) => void;
}

const FieldRow = ({ field, number, change }: RowProps): ReactNode => (
  <fieldset className="condition-group">
    <legend>Field {number}</legend>
    <div className="condition-parts">
      <TextField label="Label" required maxLength={200} value={field.label} change={(label) => change({ ...field, label })} />
      <TextField
        label="Key"
        placeholder="firstName"
        required
        maxLength={64}
        value={field.key}
        change={(key) => change({ ...field, key: key.trim() })}
      />
      <ChoiceField label="Type" value={field.type} options={TYPES} change={(type) => change({ ...field, type: type as Field['type'] })} />
    </div>
    <CheckField label="Required" checked={field.required} change={(required) => change({ ...field, required })} />
    <button type="button" className="quiet" onClick={() => change(null)}>
      Remove field {number}
    </button>
  </fieldset>
);

interface RowsProps {
  readonly fields: readonly Field[];
  readonly change: (fields: Field[]) => void;
}

/** Shows the questions of a form next to the address, in their order. */
export const FieldRows = ({ fields, change }: RowsProps): ReactNode => (
  <>
    <p className="hint">Each form asks for the email address. A key is firstName, lastName, or the name of a custom field.</p>
    {numbered(fields).map(([key, field], at) => (
      <FieldRow key={key} field={field} number={at + 1} change={(changed) => change(withRow(fields, at, changed))} />
    ))}
    {fields.length < MOST && (
      <button type="button" onClick={() => change([...fields, NEW_FIELD])}>
        Add field
      </button>
    )}
  </>
);
