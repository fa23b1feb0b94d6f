import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { OPERATOR_WORDS, numbered } from './language.ts';
import type { Filter, Tree } from './language.ts';
import { SegmentLink } from './names.tsx';
import { fieldWords, valueWords } from './words.ts';

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
      <strong>{fieldWords(field)}</strong> {OPERATOR_WORDS[operator]} {valueWords(filter)}
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
