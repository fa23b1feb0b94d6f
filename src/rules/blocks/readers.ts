import type { FieldTest } from './model';

/** A question about one field of a contact, as conditions ask it. */
interface Filter {
  readonly field: string;
  readonly operator: 'exists' | 'notExists' | 'equals' | 'notEquals' | 'greaterThan' | 'lessThan';
  readonly value?: string | number | boolean;
}

/** A condition tree, as segments and audiences have it. */
export interface ReaderTree {
  readonly logic: 'and' | 'or';
  readonly groups: readonly { readonly filters: readonly Filter[]; readonly conditions?: ReaderTree }[];
}

const OWN: ReadonlySet<string> = new Set(['email', 'firstName', 'lastName', 'locale']);

/** Values that a template takes for none, in a field of a contact's own data. */
const HOLLOW = ['', false, 0] as const;

const isOfContacts = (field: string): boolean => OWN.has(field) || field.startsWith('data.');

const all = (filters: readonly Filter[]): ReaderTree => ({ logic: 'and', groups: [{ filters }] });
const any = (filters: readonly Filter[]): ReaderTree => ({ logic: 'or', groups: filters.map((filter) => ({ filters: [filter] })) });

/** Returns the condition that holds for the contacts for whom a test of a design holds. Text is compared without case. */
function treeOf({ field, operator, value = '' }: FieldTest): ReaderTree {
  const hollow = field.startsWith('data.') ? HOLLOW : [''];
  switch (operator) {
    case 'present':
      return all([{ field, operator: 'exists' }, ...hollow.map((none) => ({ field, operator: 'notEquals' as const, value: none }))]);
    case 'absent':
      return any([{ field, operator: 'notExists' }, ...hollow.map((none) => ({ field, operator: 'equals' as const, value: none }))]);
    case 'equals':
      return all([{ field, operator: 'equals', value }]);
    case 'differs':
      return any([
        { field, operator: 'notExists' },
        { field, operator: 'notEquals', value },
      ]);
    case 'greater':
      return all([{ field, operator: 'greaterThan', value }]);
    case 'less':
      return all([{ field, operator: 'lessThan', value }]);
  }
}

/** Returns the condition that holds for the contacts who see blocks with these tests; null where a test asks for something that is not a contact's. */
export function readersOf(match: 'all' | 'any', tests: readonly FieldTest[]): ReaderTree | null {
  if (tests.length === 0 || !tests.every(({ field }) => isOfContacts(field))) return null;
  return { logic: match === 'all' ? 'and' : 'or', groups: tests.map((test) => ({ filters: [], conditions: treeOf(test) })) };
}
