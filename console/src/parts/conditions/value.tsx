import { useState } from 'react';
import type { ReactNode } from 'react';
import { AreaField, ChoiceField, TextField } from '../fields.tsx';
import { useFieldTypes } from './contact-fields.ts';
import { rowOf, takesOf } from './language.ts';
import type { Filter } from './language.ts';
import { kindOf, read, readAny, shownKind, write } from './typed.ts';
import type { Kind } from './typed.ts';

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

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** Keeps a text that is not yet a number; the API reports the fault. */
const NumberInput = ({ label, value, change }: { label: string; value: unknown; change: (value: number | string) => void }): ReactNode => (
  <TextField
    label={label}
    type="number"
    min={0}
    step="any"
    value={textOf(value)}
    change={(text) => change(read(text, 'number') as number | string)}
  />
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
          <NumberInput label="In the last" value={within} change={(value) => change({ ...filter, within: value as number })} />
          <UnitInput filter={filter} change={change} />
        </>
      )}
    </>
  );
}

const YesNo = ({ filter, change }: ValueProps): ReactNode => (
  <ChoiceField
    label="Value"
    required
    value={typeof filter.value === 'boolean' ? String(filter.value) : ''}
    options={[...(typeof filter.value === 'boolean' ? [] : [['', 'Choose …'] as const]), ['true', 'Yes'], ['false', 'No']]}
    change={(chosen) => change({ ...filter, value: read(chosen, 'flag') })}
  />
);

const DAY = /^(\d{4}-\d\d-\d\d)?$/;

/** Says what a value is compared as, where its look and its type may be taken for two things. */
const hintOf = (value: unknown, kind: Kind): string | undefined => {
  if (kind !== 'any') return undefined;
  if (typeof value === 'string') return readAny(value) === value ? undefined : `Matches the text ${value}, not ${String(readAny(value))}`;
  const word = typeof value === 'number' ? 'the number ' : '';
  return `Matches ${word}${String(value)}. For the text, write "${String(value)}"`;
};

/** Keeps what was typed as long as it means the value: `1.0` is on the way to `1.05`. */
function useTyped(written: string, isSame: (typed: string) => boolean): readonly [string, (typed: string) => void] {
  const [typed, setTyped] = useState(written);
  return [isSame(typed) ? typed : written, setTyped];
}

interface KindProps extends ValueProps {
  readonly kind: Kind;
}

function ScalarInput({ filter, change, kind }: KindProps): ReactNode {
  const { value } = filter;
  const [shown, setTyped] = useTyped(write(value, kind), (typed) => read(typed, kind) === value);
  const hint = hintOf(value, kind);
  const types = { number: 'number', date: DAY.test(shown) ? 'date' : 'text' } as Readonly<Partial<Record<Kind, string>>>;
  return (
    <TextField
      label="Value"
      type={types[kind] ?? 'text'}
      {...(kind === 'number' && { step: 'any', required: true })}
      {...(hint !== undefined && { hint })}
      value={shown}
      change={(text) => {
        setTyped(text);
        change({ ...filter, value: read(text, kind) });
      }}
    />
  );
}

const ROW_KINDS: Readonly<Partial<Record<ReturnType<typeof rowOf>, Kind>>> = { flag: 'flag', instant: 'date', text: 'text' };

/** Returns the kind that a condition's value is shown as. A custom field tells it by its data: a number never equals its text. */
function useKind(filter: Filter): Kind {
  const typeOf = useFieldTypes();
  return shownKind(filter.value, ROW_KINDS[rowOf(filter.field)] ?? kindOf(filter, typeOf(filter.field)));
}

function Scalar(props: ValueProps): ReactNode {
  const kind = useKind(props.filter);
  return kind === 'flag' ? <YesNo {...props} /> : <ScalarInput {...props} kind={kind} />;
}

const itemsOf = (text: string, kind: Kind): unknown[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [read(line.trim(), kind)]));

function ListOfValues({ filter, change }: ValueProps): ReactNode {
  const items = Array.isArray(filter.value) ? (filter.value as unknown[]) : [];
  const shown = useKind(filter);
  const kind = shown === 'flag' ? 'any' : shown;
  const isSame = (typed: string): boolean => JSON.stringify(itemsOf(typed, kind)) === JSON.stringify(items);
  const [text, setTyped] = useTyped(items.map((item) => write(item, kind)).join('\n'), isSame);
  return (
    <AreaField
      label="Values, one per line"
      rows={3}
      {...(kind === 'any' && { hint: 'Numbers match numbers. For the text, write "5"' })}
      value={text}
      change={(typed) => {
        setTyped(typed);
        change({ ...filter, value: itemsOf(typed, kind) });
      }}
    />
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
