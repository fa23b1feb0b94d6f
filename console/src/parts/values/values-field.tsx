import { useState } from 'react';
import type { ReactNode } from 'react';
import { AreaField } from '../fields.tsx';
import { useParsed } from '../parsed.ts';
import { differs } from '../unsaved.tsx';
import { kindOf } from './kinds.ts';
import { isEmptyGroup } from './rows.ts';
import { Rows, TypedValue } from './tree.tsx';
import './values.css';

export type Values = Readonly<Record<string, unknown>>;

const JSON_TEXT = {
  textOf: (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2)),
  read: (text: string): unknown => (text.trim() === '' ? undefined : JSON.parse(text)),
};

const orNothing = (value: unknown): unknown => (isEmptyGroup(value) ? undefined : value);

const OBJECT_TEXT = {
  textOf: JSON_TEXT.textOf,
  read(text: string): unknown {
    const value = JSON_TEXT.read(text);
    if (value !== undefined && kindOf(value) !== 'group') throw new Error('no object');
    return orNothing(value);
  },
};

interface ValueProps<T> {
  readonly label: string;
  readonly value: unknown;
  readonly change: (value: T | undefined) => void;
}

function JsonArea({ label, value, change, any }: Required<Pick<FrameProps, 'label' | 'value' | 'change' | 'any'>>): ReactNode {
  const { text, isValid, write } = useParsed(value, change, any ? JSON_TEXT : OBJECT_TEXT);
  const fault = any ? 'Enter valid JSON.' : 'Enter a JSON object, such as {"plan": "pro"}.';
  return (
    <AreaField
      label={`${label} as JSON`}
      code
      rows={5}
      value={text}
      change={write}
      {...(!isValid && { fault: `${fault} Until then, the previous values apply.` })}
    />
  );
}

interface FrameProps extends ValueProps<unknown> {
  readonly hint?: string;
  /** Whether a value may be anything; otherwise it is an object. */
  readonly any?: boolean;
  /** Whether it can be edited as JSON, too. */
  readonly hasJson?: boolean;
  /** The rows. */
  readonly children: ReactNode;
}

function Frame({ label, hint, value, change, any = false, hasJson = true, children }: FrameProps): ReactNode {
  const [isJson, setJson] = useState(false);
  return (
    <fieldset className="condition-group values">
      <legend>{label}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {isJson ? <JsonArea {...{ label, value, change, any }} /> : children}
      {hasJson && (
        <button type="button" className="quiet" onClick={() => setJson(!isJson)}>
          {isJson ? 'Edit as rows' : 'Edit as JSON'}
          <span className="unseen"> ({label})</span>
        </button>
      )}
    </fieldset>
  );
}

interface ValuesProps extends ValueProps<Values> {
  readonly hint?: string;
  /** Label of a name. */
  readonly one: string;
  /** Names to suggest. */
  readonly names?: readonly string[];
  /** Names that have a row in any case; a dotted one is within a group. Left empty, they are not in the object. */
  readonly expected?: readonly string[];
  /** Whether all values are texts. */
  readonly textOnly?: boolean;
}

const NONE: readonly string[] = [];

/** Edits an object, or nothing, by its names, each with a value of a type. Calls back with undefined for an empty object. */
export function ValuesField({ one, names = NONE, expected = NONE, textOnly = false, change, ...frame }: ValuesProps): ReactNode {
  const put = (values: unknown): void => change(orNothing(values) as Values | undefined);
  return (
    <Frame {...frame} change={put} hasJson={!textOnly}>
      <Rows {...{ one, textOnly }} value={frame.value} names={{ names, expected }} isList={false} number="" change={put} />
    </Frame>
  );
}

/** Edits a value of any type, or nothing. Calls back with undefined for an empty group. */
export function ValueField({ value, change, ...frame }: ValueProps<unknown> & { readonly hint: string }): ReactNode {
  const [written, setWritten] = useState({ kind: kindOf(value), value });
  const typed = differs(written.value, value) ? { kind: kindOf(value), value } : written;
  return (
    <Frame {...frame} {...{ value, change }} any>
      <TypedValue
        {...typed}
        what={frame.label.toLowerCase()}
        number=""
        change={(edited) => {
          const meant = orNothing(edited.value);
          setWritten({ kind: edited.kind, value: meant });
          change(meant);
        }}
      />
    </Frame>
  );
}
