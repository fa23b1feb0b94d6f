import type { ReactNode } from 'react';
import { diffOf } from './diff.ts';
import type { DiffLine } from './diff.ts';
import './diff-view.css';

const Line = ({ kind, text }: DiffLine): ReactNode => {
  if (kind === 'same') return <span>{`  ${text}\n`}</span>;
  return kind === 'gone' ? <del>{`− ${text}\n`}</del> : <ins>{`+ ${text}\n`}</ins>;
};

/** Shows two texts as one, with what was taken out and what was put in. */
export const DiffView = ({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}): ReactNode => (
  <pre className="diff" tabIndex={0} aria-label={label} role="group">
    {diffOf(before, after).map((line, at) => (
      // Lines have no name of their own, and never move: the texts do not change.
      <Line key={`${at} ${line.kind}`} {...line} />
    ))}
  </pre>
);
