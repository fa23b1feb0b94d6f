import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { OPERATOR_WORDS, numbered } from './language.ts';
import type { Filter, Tree } from './language.ts';
import { SegmentLink } from './names.tsx';

const FIELDS: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  createdAt: 'creation date',
  updatedAt: 'last update',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? `“${value}”` : JSON.stringify(value));

/** Long lists are cut: they may have thousands of values. */
const MOST = 10;

function valueOf({ operator, value, unit, within }: Filter): string {
  if (Array.isArray(value)) {
    const more = value.length - MOST;
    return value.slice(0, MOST).map(textOf).join(', ') + (more > 0 ? ` and ${more} more` : '');
  }
  if (value === undefined) return '';
  if (operator !== 'countAtLeast' && operator !== 'countLessThan') return unit === undefined ? textOf(value) : `${textOf(value)} ${unit}`;
  const window = within === undefined ? '' : ` in the last ${within} ${unit ?? ''}`;
  return `${textOf(value)} times${window}`;
}

function fieldOf(field: string): string {
  const dot = field.indexOf('.');
  const [kind, rest] = [field.slice(0, Math.max(dot, 0)), field.slice(dot + 1)];
  if (kind === 'event') return `event ${rest}`;
  if (kind === 'email') return `email ${rest}`;
  if (kind === 'trigger') return `${rest} of the trigger event`;
  if (kind === 'items') return `${rest} of a digest item`;
  return kind === 'data' ? rest : (FIELDS[field] ?? field);
}

function Test({ filter }: { readonly filter: Filter }): ReactNode {
  const { field, operator, campaignId, nodeId } = filter;
  if (field.startsWith('segment.')) {
    return (
      <>
        {OPERATOR_WORDS[operator]} <SegmentLink id={field.slice('segment.'.length)} />
      </>
    );
  }
  return (
    <>
      <strong>{fieldOf(field)}</strong> {OPERATOR_WORDS[operator]} {valueOf(filter)}
      {campaignId !== undefined && (
        <>
          {' '}
          (in <Link to={`/campaigns/${campaignId}`}>one campaign</Link>)
        </>
      )}
      {nodeId !== undefined && ` (of the step ${nodeId})`}
    </>
  );
}

function Group({ group }: { readonly group: Tree['groups'][number] }): ReactNode {
  return (
    <ul>
      {numbered(group.filters).map(([key, filter]) => (
        <li key={key}>
          <Test filter={filter} />
        </li>
      ))}
      {group.conditions && (
        <li>
          <Conditions tree={group.conditions} />
        </li>
      )}
    </ul>
  );
}

/** Describes in words which contacts a tree of conditions matches. */
export function Conditions({ tree }: { readonly tree: object }): ReactNode {
  const { logic, groups } = tree as Tree;
  return (
    <div className="conditions">
      {numbered(groups).map(([key, group], at) => (
        <div key={key}>
          {at > 0 && <p className="hint">{logic === 'and' ? 'and' : 'or'}</p>}
          {group.filters.length > 1 && <p className="hint">all of:</p>}
          <Group group={group} />
        </div>
      ))}
    </div>
  );
}
