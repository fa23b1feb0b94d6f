import { OPERATOR_WORDS, subjectOf } from './language.ts';
import type { Filter, Tree } from './language.ts';

const FIELDS: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  createdAt: 'creation date',
  updatedAt: 'last update',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? `“${value}”` : JSON.stringify(value));

/** Long lists are cut: they may have thousands of values. */
const MOST = 10;

/** Returns the value that a condition compares with, in words; empty if it compares with none. */
export function valueWords({ operator, value, unit, within }: Filter): string {
  if (Array.isArray(value)) {
    const more = value.length - MOST;
    return value.slice(0, MOST).map(textOf).join(', ') + (more > 0 ? ` and ${more} more` : '');
  }
  if (value === undefined) return '';
  if (operator !== 'countAtLeast' && operator !== 'countLessThan') return unit === undefined ? textOf(value) : `${textOf(value)} ${unit}`;
  const window = within === undefined ? '' : ` in the last ${within} ${unit ?? ''}`;
  return `${textOf(value)} times${window}`;
}

/** Returns what a condition is about, in words. */
export function fieldWords(field: string): string {
  const [subject, rest] = subjectOf(field);
  if (subject === 'event') return `event ${rest}`;
  if (subject === 'message') return `email ${rest}`;
  if (subject === 'trigger') return `${rest} of the trigger event`;
  if (subject === 'items') return `${rest} of a digest item`;
  return subject === 'data' ? rest : (FIELDS[field] ?? field);
}

/** Returns the name of a segment, as far as it is known. */
type SegmentOf = (id: string) => string | undefined;

function filterWords(filter: Filter, segmentOf: SegmentOf): string {
  const { field, operator, campaignId, nodeId } = filter;
  const [subject, rest] = subjectOf(field);
  if (subject === 'segment') return `${OPERATOR_WORDS[operator]} ${segmentOf(rest) ?? '…'}`;
  const of = [campaignId !== undefined && '(in one campaign)', nodeId !== undefined && '(of one message)'];
  return [fieldWords(field), OPERATOR_WORDS[operator], valueWords(filter), ...of].filter(Boolean).join(' ');
}

/** Returns a tree of conditions as one sentence, in which “and” binds more tightly than “or”. */
export const treeWords = ({ logic, groups }: Tree, segmentOf: SegmentOf): string =>
  groups
    .map(({ filters, conditions }) =>
      [...filters.map((filter) => filterWords(filter, segmentOf)), ...(conditions ? [`(${treeWords(conditions, segmentOf)})`] : [])].join(
        ' and ',
      ),
    )
    .join(` ${logic} `);
