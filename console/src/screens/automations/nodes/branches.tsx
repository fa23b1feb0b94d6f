import type { ReactNode } from 'react';
import { useContactFields } from '../../../parts/conditions/contact-fields.ts';
import { OPERATORS, OPERATOR_WORDS, SUBJECTS, fieldOf, numbered, takesOf, withRow } from '../../../parts/conditions/language.ts';
import type { Filter, Operator } from '../../../parts/conditions/language.ts';
import { FilterValue } from '../../../parts/conditions/value.tsx';
import { ChoiceField, TextField } from '../../../parts/fields.tsx';
import { Suggested } from '../../../parts/suggested.tsx';
import { textIn } from '../graph/model.ts';
import type { FormProps } from './form.ts';

interface Case {
  readonly branch: string;
  readonly operator: Operator;
  readonly value?: unknown;
}

/** A case does not accept a unit of time. */
const CASE_OPERATORS = OPERATORS.data.filter((operator) => takesOf(operator) !== 'duration');

interface CaseProps {
  readonly field: string;
  readonly row: Case;
  readonly number: number;
  readonly change: (row: Case | null) => void;
}

function CaseRow({ field, row, number, change }: CaseProps): ReactNode {
  const filter = { field, operator: row.operator, value: row.value } as Filter;
  return (
    <fieldset className="condition-group">
      <legend>Case {number}</legend>
      <TextField label="Branch" required value={row.branch} change={(branch) => change({ ...row, branch })} />
      <ChoiceField
        label="Operator"
        value={row.operator}
        options={CASE_OPERATORS.map((operator) => [operator, OPERATOR_WORDS[operator]])}
        change={(chosen) => {
          const operator = chosen as Operator;
          const takes = takesOf(operator);
          const fits = Array.isArray(row.value) === (takes === 'list') && row.value !== undefined;
          const value = fits ? row.value : takes === 'list' ? [] : '';
          change({ branch: row.branch, operator, ...(takes !== 'nothing' && { value }) });
        }}
      />
      <FilterValue key={`${field} ${row.operator}`} filter={filter} change={({ value }) => change({ ...row, value })} />
      <button type="button" className="quiet" onClick={() => change(null)}>
        Remove case {number}
      </button>
    </fieldset>
  );
}

/** A contact's own fields: their conditions need no further name. */
const OWN_FIELDS = SUBJECTS.map(([subject]) => fieldOf(subject, '')).filter((field) => !field.endsWith('.'));

/** Asks which value decides, and which branch each case takes. */
export function SwitchForm({ config, change }: FormProps): ReactNode {
  const cases = (config['cases'] as readonly Case[] | undefined) ?? [];
  const put = (rows: readonly Case[]): void => change({ ...config, cases: rows });
  const field = textIn(config, 'field');
  const custom = useContactFields().map((known) => fieldOf('data', known.field));
  return (
    <>
      <Suggested
        label="Field"
        hint="For example data.plan, locale, trigger.total"
        required
        names={[...custom, ...OWN_FIELDS]}
        value={field}
        change={(named) => change({ ...config, field: named })}
      />
      {numbered(cases).map(([key, row], place) => (
        <CaseRow key={key} field={field} row={row} number={place + 1} change={(changed) => put(withRow(cases, place, changed))} />
      ))}
      <button type="button" onClick={() => put([...cases, { branch: `case ${cases.length + 1}`, operator: 'equals', value: '' }])}>
        Add case
      </button>
    </>
  );
}

interface Weighted {
  readonly branch: string;
  readonly weight: number;
}

/** Asks into which branches contacts are split, and in which shares. */
export function SplitForm({ config, change }: FormProps): ReactNode {
  const branches = (config['branches'] as readonly Weighted[] | undefined) ?? [];
  const put = (rows: readonly Weighted[]): void => change({ ...config, branches: rows });
  return (
    <>
      {numbered(branches).map(([key, row], place) => {
        const replace = (changed: Weighted | null): void => put(withRow(branches, place, changed));
        return (
          <fieldset key={key} className="condition-group">
            <legend>Branch {place + 1}</legend>
            <TextField label="Name" required value={row.branch} change={(branch) => replace({ ...row, branch })} />
            <TextField
              label="Weight"
              type="number"
              min={0}
              step="any"
              required
              value={String(row.weight)}
              change={(weight) => replace({ ...row, weight: Number(weight) })}
            />
            <button type="button" className="quiet" onClick={() => replace(null)}>
              Remove branch {place + 1}
            </button>
          </fieldset>
        );
      })}
      <button type="button" onClick={() => put([...branches, { branch: `branch ${branches.length + 1}`, weight: 1 }])}>
        Add branch
      </button>
    </>
  );
}
