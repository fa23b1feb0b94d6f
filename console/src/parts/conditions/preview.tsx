import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ApiError, api } from '../api.ts';
import { count } from '../numbers.ts';
import { Card } from '../page.tsx';
import { useSettled } from '../settled.ts';
import type { Fault } from './editor.tsx';
import type { Tree } from './language.ts';

/** Counts and samples the contacts that a tree matches, a moment after it was last changed. */
export function usePreview(tree: Tree | null) {
  const conditions = useSettled(tree);
  return useQuery({
    queryKey: ['segments', 'preview', conditions],
    queryFn: () => api.previewSegment({ conditions: conditions as Tree }),
    enabled: conditions !== null,
    placeholderData: keepPreviousData,
  });
}

/** Returns the faults that the API has found in a request. */
export const faultsIn = (error: Error | null): readonly Fault[] => (error instanceof ApiError ? error.details : []);

type Preview = ReturnType<typeof usePreview>;

function Counted({ data, isPlaceholderData }: Preview): ReactNode {
  if (!data) return <p role="status">Counting …</p>;
  return (
    <>
      <p role="status">
        <strong>
          {count(data.count)} {data.count === 1 ? 'contact matches' : 'contacts match'}
        </strong>
        {isPlaceholderData && ' (updating …)'}
      </p>
      {data.sample.length > 0 && (
        <>
          <p className="hint">Examples:</p>
          <ul>
            {data.sample.map(({ contactId, email, firstName, lastName }) => (
              <li key={contactId}>
                <Link to={`/contacts/${contactId}`}>{email}</Link>{' '}
                <span className="hint">{[firstName, lastName].filter(Boolean).join(' ')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Shows the number of matching contacts, and ten of them. */
export const PreviewCard = ({ preview }: { readonly preview: Preview }): ReactNode => (
  <Card title="Matching contacts">
    {preview.error ? (
      <p className="fault" role="status">
        {faultsIn(preview.error).length > 0 ? 'Complete the conditions to see matches.' : preview.error.message}
      </p>
    ) : (
      <Counted {...preview} />
    )}
  </Card>
);
