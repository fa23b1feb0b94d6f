import type { ReactNode } from 'react';
import { instantOf, localOf } from '../dates.tsx';
import { AreaField, ChoiceField, TextField } from '../fields.tsx';
import { useParsed } from '../parsed.ts';
import { isExact } from './kinds.ts';
import type { Kind } from './kinds.ts';

interface ScalarProps<T = unknown> {
  readonly kind: Kind;
  readonly value: T;
  readonly change: (value: T) => void;
}

const NUMBER = {
  attributes: { type: 'number', step: 'any' },
  faultOf: (text: string): string => (text.trim() === '' ? 'Enter a number.' : 'Too many digits. Use the type Text.'),
  textOf: String,
  read(text: string): unknown {
    if (text.trim() === '' || !isExact(text)) throw new Error('no number');
    return Number(text);
  },
};

const DATE = {
  attributes: { type: 'date', max: '9999-12-31' },
  faultOf: (): string => 'Enter a date.',
  textOf: String,
  read(text: string): unknown {
    if (text === '') throw new Error('no date');
    return text;
  },
};

const MOMENT = {
  attributes: { type: 'datetime-local', max: '9999-12-31T23:59' },
  faultOf: (): string => 'Enter a date and a time.',
  textOf: (value: unknown): string => localOf(String(value)),
  read: (text: string): unknown => instantOf(text),
};

function Parsed({
  value,
  change,
  as,
}: Omit<ScalarProps, 'kind'> & { readonly as: typeof NUMBER | typeof DATE | typeof MOMENT }): ReactNode {
  const { text, isValid, write } = useParsed(value, change, as);
  return <TextField label="Value" {...as.attributes} required value={text} change={write} {...(!isValid && { fault: as.faultOf(text) })} />;
}

const YesOrNo = ({ value, change }: Omit<ScalarProps, 'kind'>): ReactNode => (
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

function Text({ value, change }: Omit<ScalarProps, 'kind'>): ReactNode {
  const text = typeof value === 'string' ? value : '';
  // A field of one line would join the lines. The style sheet lets it grow where the browser can.
  return <AreaField label="Value" rows={text.includes('\n') ? 3 : 1} value={text} change={change} />;
}

/** Shows the input of a value that is neither a list nor a group; none for nothing. */
export function Scalar({ kind, ...rest }: ScalarProps): ReactNode {
  switch (kind) {
    case 'number':
      return <Parsed {...rest} as={NUMBER} />;
    case 'date':
      return <Parsed {...rest} as={DATE} />;
    case 'moment':
      return <Parsed {...rest} as={MOMENT} />;
    case 'flag':
      return <YesOrNo {...rest} />;
    case 'nothing':
      return null;
    default:
      return <Text {...rest} />;
  }
}
