import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { withRow } from './conditions/language.ts';
import { AreaField, ChoiceField, TextField } from './fields.tsx';
import { useParsed } from './parsed.ts';
import { Suggested } from './suggested.tsx';
import { differs } from './unsaved.tsx';
import './values-field.css';

type Kind = 'text' | 'number' | 'flag' | 'nothing' | 'nested';

const KINDS: readonly (readonly [Kind, string])[] = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['flag', 'Yes or no'],
  ['nothing', 'Nothing'],
];

const TYPES: Readonly<Record<string, Kind>> = { string: 'text', number: 'number', boolean: 'flag' };

const kindOf = (value: unknown): Kind => (value === null ? 'nothing' : (TYPES[typeof value] ?? 'nested'));

/** Conversions of a value to another type; none leads to JSON. */
const CONVERSIONS: Readonly<Record<Exclude<Kind, 'nested'>, (value: unknown) => unknown>> = {
  text: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''),
  number: (value) => Number(value) || 0,
  flag: (value) => value !== false && value !== 'false',
  nothing: () => null,
};

interface ValueProps<T> {
  readonly value: T;
  readonly change: (value: unknown) => void;
}

const NUMBER_TEXT = {
  textOf: String,
  read(text: string): number {
    if (text.trim() === '' || !Number.isFinite(Number(text))) throw new Error('no number');
    return Number(text);
  },
};

const NESTED_TEXT = {
  textOf: (value: object): string => JSON.stringify(value, null, 2),
  read(text: string): object {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) throw new Error('neither list nor object');
    return value;
  },
};

const Fault = ({ children }: { readonly children: string }): ReactNode => (
  <p className="fault" role="status">
    {children}
  </p>
);

function NumberValue({ value, change }: ValueProps<number>): ReactNode {
  const { text, isValid, write } = useParsed(value, change, NUMBER_TEXT);
  return (
    <>
      <TextField label="Value" type="number" step="any" required value={text} change={write} />
      {!isValid && <Fault>Enter a number.</Fault>}
    </>
  );
}

function NestedValue({ value, change }: ValueProps<object>): ReactNode {
  const { text, isValid, write } = useParsed(value, change, NESTED_TEXT);
  return (
    <>
      <AreaField label="Value (JSON)" code rows={3} value={text} change={write} />
      {!isValid && <Fault>Enter a JSON list or object.</Fault>}
    </>
  );
}

function ValueInput({ value, change }: ValueProps<unknown>): ReactNode {
  if (typeof value === 'number') return <NumberValue value={value} change={change} />;
  if (typeof value === 'object') return value && <NestedValue value={value} change={change} />;
  if (typeof value !== 'boolean') {
    const text = typeof value === 'string' ? value : '';
    // A field of one line would join the lines.
    return text.includes('\n') ? (
      <AreaField label="Value" rows={3} value={text} change={change} />
    ) : (
      <TextField label="Value" value={text} change={change} />
    );
  }
  return (
    <ChoiceField
      label="Value"
      value={String(value)}
      change={(chosen) => change(chosen === 'true')}
      options={[
        ['true', 'Yes'],
        ['false', 'No'],
      ]}
    />
  );
}

interface Row {
  /** Names the row as long as it is shown: another one that takes its place takes nothing that was typed in it. */
  readonly key: number;
  /** Empty as long as none is written. */
  readonly name: string;
  readonly value: unknown;
}

interface RowProps {
  readonly row: Row;
  readonly number: number;
  readonly one: string;
  readonly names: readonly string[];
  readonly isRepeated: boolean;
  readonly change: (row: Row | null) => void;
}

function ValueRow({ row, number, one, names, isRepeated, change }: RowProps): ReactNode {
  const kind = kindOf(row.value);
  const numberedOne = `${one.toLowerCase()} ${number}`;
  return (
    <li>
      <div className="value-parts" role="group" aria-label={`${one} ${number}`}>
        <Suggested label={one} required names={names} value={row.name} change={(name) => change({ ...row, name })} />
        <ChoiceField
          label="Type"
          value={kind}
          options={kind === 'nested' ? [...KINDS, ['nested', 'JSON']] : KINDS}
          change={(chosen) => chosen !== 'nested' && change({ ...row, value: CONVERSIONS[chosen as keyof typeof CONVERSIONS](row.value) })}
        />
        <ValueInput value={row.value} change={(value) => change({ ...row, value })} />
        <button type="button" className="quiet" aria-label={`Remove ${numberedOne}`} onClick={() => change(null)}>
          Remove
        </button>
        {isRepeated && <Fault>{`“${row.name}” appears twice. The last value counts.`}</Fault>}
      </div>
    </li>
  );
}

type Values = Readonly<Record<string, unknown>>;

let lastKey = 0;

const newRow = (name: string, value: unknown): Row => ({ key: ++lastKey, name, value });

const rowsOf = (value: unknown): readonly Row[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([name, own]: [string, unknown]) => newRow(name, own))
    : [];

const valuesOf = (rows: readonly Row[]): Values =>
  Object.fromEntries(rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]));

interface ValuesProps {
  readonly label: string;
  readonly hint?: string;
  /** Label of a name. */
  readonly one: string;
  /** Names to suggest. */
  readonly names?: readonly string[];
  /** An object, or nothing. */
  readonly value: unknown;
  /** Called with an object; with undefined where it has no names. */
  readonly change: (values: Values | undefined) => void;
}

const NO_NAMES: readonly string[] = [];

/** Edits an object by its names, each with a value of a type. Lists and objects within it stay, and are edited as JSON. */
export function ValuesField({ label, hint, one, names = NO_NAMES, value, change }: ValuesProps): ReactNode {
  const [written, setWritten] = useState<readonly Row[]>([]);
  // Rows without a name are not in the value yet; a value that comes from elsewhere replaces them all.
  const given = useMemo(() => rowsOf(value), [value]);
  const rows = differs(valuesOf(written), value ?? {}) ? given : written;
  const put = (next: readonly Row[]): void => {
    setWritten(next);
    const values = valuesOf(next);
    if (differs(values, value ?? {})) change(Object.keys(values).length === 0 ? undefined : values);
  };
  return (
    <fieldset className="condition-group">
      <legend>{label}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <ul>
        {rows.map((row, place) => (
          <ValueRow
            key={row.key}
            {...{ row, one, names }}
            number={place + 1}
            isRepeated={row.name !== '' && rows.findIndex(({ name }) => name === row.name) < place}
            change={(changed) => put(withRow(rows, place, changed))}
          />
        ))}
      </ul>
      <button type="button" onClick={() => put([...rows, newRow('', '')])}>
        Add {one.toLowerCase()}
      </button>
    </fieldset>
  );
}
