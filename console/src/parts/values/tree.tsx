import { Trash2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { withRow } from '../conditions/language.ts';
import { ChoiceField, TextField } from '../fields.tsx';
import { Suggested } from '../suggested.tsx';
import { differs } from '../unsaved.tsx';
import { KINDS, converted } from './kinds.ts';
import type { Kind } from './kinds.ts';
import { expectedIn, isEmptyGroup, newRow, rowsOf, valueOf, withExpected } from './rows.ts';
import type { Row } from './rows.ts';
import { Scalar } from './scalar.tsx';

interface Names {
  /** Names to suggest. */
  readonly names: readonly string[];
  /** Names that have a row in any case; a dotted one is within a group. Left empty, they have no value. */
  readonly expected: readonly string[];
}

const NO_NAMES: Names = { names: [], expected: [] };

type Typed = Pick<Row, 'kind' | 'value'>;

interface TypedProps extends Typed {
  readonly change: (typed: Typed) => void;
  /** Names the row within the tree, such as "field 2.1". */
  readonly what: string;
  /** Number of the row within the tree; empty for the root. */
  readonly number: string;
  readonly expected?: readonly string[];
  /** Follows the fields of a value, and precedes the rows of a list or a group. */
  readonly children?: ReactNode;
}

/** Edits a value of any kind. */
export function TypedValue({ kind, value, change, what, number, expected = [], children }: TypedProps): ReactNode {
  // Arrow keys pass other kinds on the way to the one that is meant: none of them costs the value.
  const [had, setHad] = useState<Partial<Record<Kind, unknown>>>({});
  const choose = (chosen: Kind): void => {
    setHad({ ...had, [kind]: value });
    change({ kind: chosen, value: chosen in had ? had[chosen] : converted(value, chosen) });
  };
  const edit = (edited: unknown): void => {
    setHad({});
    change({ kind, value: edited });
  };
  const isList = kind === 'list';
  const isNested = isList || kind === 'group';
  return (
    <>
      <ChoiceField label="Type" value={kind} options={KINDS} change={(chosen) => choose(chosen as Kind)} />
      {!isNested && <Scalar kind={kind} value={value} change={edit} />}
      {children}
      {isNested && (
        <div className="nested">
          <Rows
            key={kind}
            {...{ value, isList, number, within: ` to ${what}`, names: { ...NO_NAMES, expected } }}
            one={isList ? 'Item' : 'Field'}
            change={edit}
          />
        </div>
      )}
    </>
  );
}

const isEmpty = (value: unknown): boolean => value === '' || isEmptyGroup(value);

interface RowProps extends Pick<TypedProps, 'number'> {
  readonly row: Row;
  readonly one: string;
  readonly names: Names;
  readonly isList: boolean;
  readonly textOnly: boolean;
  readonly isRepeated: boolean;
  readonly change: (row: Row | null) => void;
}

function NameField({
  row: { name, value },
  one,
  names,
  isRepeated,
  change,
}: Omit<RowProps, 'change'> & { change: (name: string | null) => void }): ReactNode {
  const unused = name === null && !isEmpty(value) ? 'Enter a name. Without it, the value is not used.' : undefined;
  const nameless = name === '' ? 'Enter a name.' : unused;
  const fault = isRepeated ? `“${name}” appears twice. The last value counts.` : nameless;
  return (
    <Suggested
      label={one}
      required
      names={names.names}
      value={name ?? ''}
      change={(written) => change(written === '' ? null : written)}
      {...(fault !== undefined && { fault })}
    />
  );
}

function ValueRow(props: RowProps): ReactNode {
  const { row, one, number, names, isList, textOnly, isRepeated, change } = props;
  const what = `${one.toLowerCase()} ${number}`;
  const inner = expectedIn(names.expected, row.name);
  const isExpected = !isRepeated && row.name !== null && (inner.length > 0 || names.expected.includes(row.name));
  const put = ({ kind, value }: Typed): void => change({ ...row, kind, value: isExpected && isEmpty(value) ? undefined : value });
  const remove = !isExpected && (
    <button type="button" className="quiet" title="Remove" onClick={() => change(null)}>
      <Trash2 aria-hidden="true" size={16} />
      <span className="unseen">Remove {what}</span>
    </button>
  );
  return (
    <fieldset className="value-parts">
      <legend className="unseen">
        {one} {number}
      </legend>
      {isExpected && <TextField label={one} readOnly value={row.name ?? ''} change={() => {}} />}
      {!isExpected && !isList && <NameField {...props} change={(name) => change({ ...row, name })} />}
      {textOnly ? (
        <>
          <Scalar kind="text" value={row.value} change={(value) => change({ ...row, value })} />
          {remove}
        </>
      ) : (
        <TypedValue kind={row.kind} value={row.value} change={put} {...{ what, number }} expected={inner}>
          {remove}
        </TypedValue>
      )}
    </fieldset>
  );
}

interface RowsProps extends Pick<RowProps, 'one' | 'names' | 'isList' | 'number'> {
  /** An object or a list; undefined for an empty one. */
  readonly value: unknown;
  readonly change: (value: object) => void;
  readonly textOnly?: boolean;
  /** Says to what a row is added. */
  readonly within?: string;
}

/** Edits an object or a list, a row for each member; lists and groups within it have rows within their row. */
export function Rows({ value, change, one, names, isList, number, textOnly = false, within = '' }: RowsProps): ReactNode {
  const [written, setWritten] = useState<readonly Row[]>([]);
  const added = useRef<string>(null);
  const adding = useRef<HTMLButtonElement>(null);
  // Rows without a name are not in the value yet; a value that comes from elsewhere replaces them all.
  const given = useMemo(() => rowsOf(value), [value]);
  const kept = value ?? (isList ? [] : {});
  const rows = withExpected(differs(valueOf(written, isList), kept) ? given : written, names.expected);
  const put = (next: readonly Row[]): void => {
    setWritten(next);
    const meant = valueOf(next, isList);
    if (differs(meant, kept)) change(meant);
  };
  const add = (): void => {
    const row = newRow(null, '');
    added.current = row.key;
    put([...rows, row]);
  };
  const focusAdded = (key: string) => (item: HTMLLIElement | null) => {
    if (item === null || added.current !== key) return;
    added.current = null;
    item.querySelector<HTMLElement>('input, select')?.focus();
  };
  return (
    <>
      {rows.length > 0 && (
        <ul className="value-rows">
          {rows.map((row, place) => (
            <li key={row.key} ref={focusAdded(row.key)}>
              <ValueRow
                {...{ row, one, names, isList, textOnly }}
                number={number === '' ? String(place + 1) : `${number}.${place + 1}`}
                isRepeated={row.name !== null && rows.findIndex(({ name }) => name === row.name) < place}
                change={(changed) => {
                  put(withRow(rows, place, changed));
                  if (changed === null) adding.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <button type="button" ref={adding} onClick={add}>
        Add {one.toLowerCase()}
        {within !== '' && <span className="unseen">{within}</span>}
      </button>
    </>
  );
}
