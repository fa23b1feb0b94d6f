import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { ChoiceField, TextField } from '../fields.tsx';
import { rowOf, takesOf } from './language.ts';
import type { Filter } from './language.ts';

interface ValueProps {
  readonly filter: Filter;
  readonly change: (filter: Filter) => void;
}

const UNITS = [
  ['minutes', 'minutes'],
  ['hours', 'hours'],
  ['days', 'days'],
] as const;

type Unit = (typeof UNITS)[number][0];

/** Keeps a text that is not yet a number as it is; the API reports the fault. */
const numberOf = (text: string): number | string => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text));

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const NumberInput = ({ label, value, change }: { label: string; value: unknown; change: (value: number | string) => void }): ReactNode => (
  <TextField label={label} type="number" min={0} step="any" value={textOf(value)} change={(text) => change(numberOf(text))} />
);

const UnitInput = ({ filter, change }: ValueProps): ReactNode => (
  <ChoiceField label="Unit" value={filter.unit ?? 'days'} options={UNITS} change={(unit) => change({ ...filter, unit: unit as Unit })} />
);

function Count({ filter, change }: ValueProps): ReactNode {
  const { within, unit: _unit, ...always } = filter;
  return (
    <>
      <NumberInput label="Times" value={filter.value} change={(value) => change({ ...filter, value })} />
      <ChoiceField
        label="Time frame"
        value={within === undefined ? 'ever' : 'window'}
        options={[
          ['ever', 'At any time'],
          ['window', 'In the last …'],
        ]}
        change={(chosen) => change(chosen === 'ever' ? always : { ...always, within: 30, unit: 'days' })}
      />
      {within !== undefined && (
        <>
          <NumberInput label="In the last" value={within} change={(value) => change({ ...filter, within: Number(value) })} />
          <UnitInput filter={filter} change={change} />
        </>
      )}
    </>
  );
}

type Type = 'text' | 'number' | 'flag';

const TYPES = [
  ['text', 'Text or date'],
  ['number', 'Number'],
  ['flag', 'Yes or no'],
] as const;

const typeOf = (value: unknown): Type => {
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'flag' : 'text';
};

const FIRST: Readonly<Record<Type, string | number | boolean>> = { text: '', number: 0, flag: true };

const YesNo = ({ filter, change }: ValueProps): ReactNode => (
  <ChoiceField
    label="Value"
    value={String(filter.value)}
    options={[
      ['true', 'Yes'],
      ['false', 'No'],
    ]}
    change={(chosen) => change({ ...filter, value: chosen === 'true' })}
  />
);

/** A value of a custom field: a number never equals its text, so it has to be said which is meant. */
function Typed({ filter, change }: ValueProps): ReactNode {
  const type = typeOf(filter.value);
  return (
    <>
      <ChoiceField label="Type" value={type} options={TYPES} change={(chosen) => change({ ...filter, value: FIRST[chosen as Type] })} />
      {type === 'flag' && <YesNo filter={filter} change={change} />}
      {type === 'number' && (
        <TextField
          label="Value"
          type="number"
          step="any"
          value={textOf(filter.value)}
          change={(text) => change({ ...filter, value: Number(text) })}
        />
      )}
      {type === 'text' && <TextField label="Value" value={textOf(filter.value)} change={(value) => change({ ...filter, value })} />}
    </>
  );
}

const DAY = /^(\d{4}-\d\d-\d\d)?$/;

function Scalar({ filter, change }: ValueProps): ReactNode {
  const row = rowOf(filter.field);
  if (row === 'flag') return <YesNo filter={filter} change={change} />;
  if (row === 'data') return <Typed filter={filter} change={change} />;
  const value = textOf(filter.value);
  const type = row === 'instant' && DAY.test(value) ? 'date' : 'text';
  return <TextField label="Value" type={type} value={value} change={(text) => change({ ...filter, value: text })} />;
}

const itemsOf = (text: string, asNumbers: boolean): (string | number)[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [asNumbers ? numberOf(line) : line.trim()]));

function ListOfValues({ filter, change }: ValueProps): ReactNode {
  const id = useId();
  const items = Array.isArray(filter.value) ? (filter.value as unknown[]) : [];
  const asNumbers = items.length > 0 && items.every((item) => typeof item === 'number');
  const written = items.map(textOf).join('\n');
  const [typed, setTyped] = useState(written);
  // A line that has just begun is no value yet: what is typed stays as long as it means what the tree has.
  const shown = itemsOf(typed, asNumbers).map(textOf).join('\n') === written ? typed : written;
  return (
    <>
      {rowOf(filter.field) === 'data' && (
        <ChoiceField
          label="Type"
          value={asNumbers ? 'number' : 'text'}
          options={TYPES.slice(0, 2)}
          change={(chosen) => change({ ...filter, value: itemsOf(written, chosen === 'number') })}
        />
      )}
      <div className="field">
        <label htmlFor={id}>Values, one per line</label>
        <textarea
          id={id}
          rows={3}
          value={shown}
          onChange={(event) => {
            setTyped(event.target.value);
            change({ ...filter, value: itemsOf(event.target.value, asNumbers) });
          }}
        />
      </div>
    </>
  );
}

/** Shows the value of a condition, in the form that its operator takes. */
export function FilterValue({ filter, change }: ValueProps): ReactNode {
  switch (takesOf(filter.operator)) {
    case 'nothing':
      return null;
    case 'duration':
      return (
        <>
          <NumberInput label="Duration" value={filter.value} change={(value) => change({ ...filter, value })} />
          <UnitInput filter={filter} change={change} />
        </>
      );
    case 'count':
      return <Count filter={filter} change={change} />;
    case 'list':
      return <ListOfValues filter={filter} change={change} />;
    default:
      return <Scalar filter={filter} change={change} />;
  }
}
