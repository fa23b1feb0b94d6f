import type { ReactNode } from 'react';
import { ChoiceField } from '../fields.tsx';
import { useFieldTypes } from './contact-fields.ts';
import { NEW_TREE, OPERATORS, OPERATOR_WORDS, SUBJECTS, AUTOMATION_SUBJECTS } from './language.ts';
import { fieldOf, newFilter, newGroup, numbered, rowOf, subjectOf, withField, withOperator, withRow } from './language.ts';
import type { Filter, Group, Operator, Subject, Tree } from './language.ts';
import { SubjectName } from './names.tsx';
import { converted } from './typed.ts';
import { FilterValue } from './value.tsx';

/** A fault that the API has found, with its path. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

const MOST_GROUPS = 20;
const MOST_FILTERS = 50;
const MOST_LEVELS = 5;

interface Common {
  /** Path of the condition, as faults name it. */
  readonly at: string;
  readonly faults: readonly Fault[];
  /** Whether it is of an automation, whose conditions know the triggering event. */
  readonly inAutomation: boolean;
  /** Its messages, by step. */
  readonly sends: readonly (readonly [id: string, name: string])[];
}

const FaultsAt = ({ at, faults }: Pick<Common, 'at' | 'faults'>): ReactNode => {
  const here = faults.filter(({ path }) => path === at || path.startsWith(`${at}.`));
  return here.map(({ path, message }) => (
    <p key={path + message} className="fault">
      {message}
    </p>
  ));
};

const FIRST_NAMES: Readonly<Partial<Record<Subject, string>>> = { message: 'opened' };

interface RowProps extends Common {
  readonly filter: Filter;
  readonly number: number;
  readonly change: (filter: Filter | null) => void;
}

function FilterRow({ filter, number, change, ...common }: RowProps): ReactNode {
  const [subject, rest] = subjectOf(filter.field);
  const typeOf = useFieldTypes();
  const put = (changed: Filter): void => change(converted(changed, typeOf(changed.field)));
  return (
    <li className="condition">
      <div className="condition-parts" role="group" aria-label={`Condition ${number}`}>
        <ChoiceField
          label="Property"
          value={subject}
          options={common.inAutomation ? [...SUBJECTS, ...AUTOMATION_SUBJECTS] : SUBJECTS}
          change={(chosen) => put(withField(filter, fieldOf(chosen as Subject, FIRST_NAMES[chosen as Subject] ?? '')))}
        />
        <SubjectName subject={subject} rest={rest} filter={filter} change={put} sends={common.sends} />
        <ChoiceField
          label="Condition"
          value={filter.operator}
          options={OPERATORS[rowOf(filter.field)].map((operator) => [operator, OPERATOR_WORDS[operator]])}
          change={(operator) => put(withOperator(filter, operator as Operator))}
        />
        <FilterValue key={`${filter.field} ${filter.operator}`} filter={filter} change={change} />
        <button type="button" className="quiet" aria-label={`Remove condition ${number}`} onClick={() => change(null)}>
          Remove
        </button>
      </div>
      <FaultsAt at={common.at} faults={common.faults} />
    </li>
  );
}

interface GroupProps extends Common {
  readonly group: Group;
  readonly number: number;
  readonly level: number;
  /** Null takes it out; undefined where it is the only one. */
  readonly change: (group: Group | null) => void;
  readonly isOnly: boolean;
}

function GroupEditor({ group, number, level, change, isOnly, ...common }: GroupProps): ReactNode {
  const { filters, conditions } = group;
  const put = (rows: Filter[]): void => {
    // A group without anything in it would match everybody, and the API takes none.
    if (rows.length === 0 && !conditions) change(isOnly ? newGroup() : null);
    else change({ ...group, filters: rows });
  };
  const nest = (tree: Tree | null): void => {
    if (tree) change({ filters, conditions: tree });
    else change(filters.length === 0 ? newGroup() : { filters });
  };
  return (
    <fieldset className="condition-group">
      <legend>{level === 1 ? `Group ${number}` : `Nested group ${number}`}: match all</legend>
      <ul>
        {numbered(filters).map(([key, filter], place) => (
          <FilterRow
            key={key}
            {...common}
            at={`${common.at}.filters.${key}`}
            filter={filter}
            number={place + 1}
            change={(changed) => put(withRow(filters, place, changed))}
          />
        ))}
      </ul>
      {conditions && (
        <div className="nested">
          <ConditionEditor {...common} at={`${common.at}.conditions`} tree={conditions} level={level + 1} change={nest} />
          <button type="button" onClick={() => nest(null)}>
            Remove nested groups
          </button>
        </div>
      )}
      <div className="actions">
        {filters.length < MOST_FILTERS && (
          <button type="button" onClick={() => put([...filters, newFilter('email')])}>
            Add condition
          </button>
        )}
        {!conditions && level < MOST_LEVELS && (
          <button type="button" onClick={() => nest({ ...NEW_TREE, logic: 'or' })}>
            Add nested groups
          </button>
        )}
        {!isOnly && (
          <button type="button" className="quiet" onClick={() => change(null)}>
            Remove group
          </button>
        )}
      </div>
    </fieldset>
  );
}

interface EditorProps extends Partial<Common> {
  readonly tree: Tree;
  readonly change: (tree: Tree) => void;
  readonly level?: number;
}

/** Builds a tree of conditions: groups of conditions that all hold, joined by “and” or by “or”, with groups within them. */
export function ConditionEditor({
  tree,
  change,
  at = 'conditions',
  faults = [],
  inAutomation = false,
  sends = [],
  level = 1,
}: EditorProps): ReactNode {
  const { logic, groups } = tree;
  const put = (rows: Group[]): void => change({ ...tree, groups: rows });
  return (
    <div className="condition-editor">
      {groups.length > 1 && (
        <ChoiceField
          label="Match"
          value={logic}
          options={[
            ['and', 'Contacts that match all groups'],
            ['or', 'Contacts that match any group'],
          ]}
          change={(chosen) => change({ ...tree, logic: chosen as Tree['logic'] })}
        />
      )}
      {numbered(groups).map(([key, group], place) => (
        <GroupEditor
          key={key}
          {...{ faults, inAutomation, sends, level, group }}
          at={`${at}.groups.${key}`}
          number={place + 1}
          isOnly={groups.length === 1}
          change={(changed) => put(withRow(groups, place, changed))}
        />
      ))}
      {groups.length < MOST_GROUPS && (
        <button type="button" onClick={() => put([...groups, newGroup()])}>
          Add group
        </button>
      )}
    </div>
  );
}
