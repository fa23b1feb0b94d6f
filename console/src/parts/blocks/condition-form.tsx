import type { ReactNode } from 'react';
import { ChoiceField, TextField } from '../fields.tsx';
import type { BlockFormProps } from './block-forms.tsx';
import { FieldNameField } from './field-name-field.tsx';
import { useOfferedFields } from './fields.ts';
import { OPERATORS, isLiteral } from './model.ts';
import type { ConditionBlock, FieldTest } from './model.ts';
import { WhoSees } from './who-sees.tsx';

const MOST = 10;
const LABELS: Readonly<Record<FieldTest['operator'], string>> = {
  present: 'has a value',
  absent: 'has no value',
  equals: 'is',
  differs: 'is not',
  greater: 'is more than',
  less: 'is less than',
};

const takesValue = (operator: FieldTest['operator']): boolean => operator !== 'present' && operator !== 'absent';

/** Reads a value as the type that the field has; without one, a number is a number. */
function valueOf(text: string, type: string | undefined): string | number | boolean {
  if (type !== 'text' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  return type !== 'text' && isNumber ? Number(text) : text;
}

interface TestProps {
  readonly test: FieldTest;
  readonly names: readonly string[];
  readonly change: (test: FieldTest) => void;
  readonly remove: (() => void) | null;
}

function TestFields({ test, names, change, remove }: TestProps): ReactNode {
  const fields = useOfferedFields(names);
  const type = fields.find(({ path }) => path === test.field)?.type;
  const setOperator = (operator: FieldTest['operator']): void => {
    const { value = '' } = test;
    change({ field: test.field, operator, ...(takesValue(operator) && { value }) });
  };
  return (
    <fieldset className="row-of-fields">
      <legend className="unseen">Condition on a field</legend>
      <FieldNameField label="Field" value={test.field} names={names} change={(field) => change({ ...test, field })} />
      <ChoiceField
        label="Comparison"
        value={test.operator}
        options={OPERATORS.map((operator) => [operator, LABELS[operator]])}
        change={(operator) => setOperator(operator as FieldTest['operator'])}
      />
      {takesValue(test.operator) && (
        <TextField
          label="Value"
          value={String(test.value ?? '')}
          change={(text) => isLiteral(text) && change({ ...test, value: valueOf(text, type) })}
          maxLength={200}
        />
      )}
      {remove && (
        <button type="button" className="quiet" onClick={remove}>
          Remove condition
        </button>
      )}
    </fieldset>
  );
}

/** Shows the tests that decide who sees the blocks. */
export function ConditionForm({ block, change, names }: BlockFormProps<ConditionBlock>): ReactNode {
  const { tests } = block;
  return (
    <>
      {tests.length > 1 && (
        <ChoiceField
          label="Show if"
          value={block.match}
          options={[
            ['all', 'All conditions hold'],
            ['any', 'Any condition holds'],
          ]}
          change={(match) => change({ ...block, match: match as 'all' | 'any' })}
        />
      )}
      {tests.map((test, at) => (
        <TestFields
          key={at}
          test={test}
          names={names}
          change={(changed) => change({ ...block, tests: tests.with(at, changed) })}
          remove={tests.length > 1 ? () => change({ ...block, tests: tests.toSpliced(at, 1) }) : null}
        />
      ))}
      {tests.length < MOST && (
        <button type="button" onClick={() => change({ ...block, tests: [...tests, { field: 'firstName', operator: 'present' }] })}>
          Add condition
        </button>
      )}
      <WhoSees label="Who sees this" match={block.match} tests={tests} />
    </>
  );
}
