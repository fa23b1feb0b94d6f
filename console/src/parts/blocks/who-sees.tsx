import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { createContext, use, useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import type { Tree } from '../conditions/language.ts';
import { count, percent } from '../numbers.ts';
import { readersOf } from './model.ts';
import type { FieldTest } from './model.ts';

/** The contacts that a mail goes to; null where that is not known, and all contacts count. */
export const ReadersContext = createContext<Tree | null>(null);

const EVERYBODY: Tree = {
  logic: 'or',
  groups: [true, false].map((value) => ({ filters: [{ field: 'subscribed', operator: 'equals', value }] })),
};

const both = (one: Tree, other: Tree): Tree => ({
  logic: 'and',
  groups: [
    { filters: [], conditions: one },
    { filters: [], conditions: other },
  ],
});

interface WhoProps {
  readonly label: string;
  readonly match: 'all' | 'any';
  readonly tests: readonly FieldTest[];
}

interface Counted {
  readonly some: number;
  readonly all: number;
}

const wordsOf = ({ some, all }: Counted, whose: string): string =>
  `${count(some)} of ${count(all)} ${whose}${all === 0 ? '' : ` (${percent(some / all)})`}`;

async function counted(whole: Tree, tree: Tree): Promise<Counted> {
  const [some, all] = await Promise.all([api.previewSegment({ conditions: both(whole, tree) }), api.previewSegment({ conditions: whole })]);
  return { some: some.count, all: all.count };
}

interface AnswerProps {
  readonly data: Counted | undefined;
  readonly isRefused: boolean;
  readonly whose: string;
}

function Answer({ data, isRefused, whose }: AnswerProps): ReactNode {
  if (isRefused) return 'This cannot be counted: complete the condition.';
  return data ? wordsOf(data, whose) : 'Counting …';
}

/** Counts the contacts for whom tests hold, of the audience where it is known. */
export function WhoSees({ label, match, tests }: WhoProps): ReactNode {
  const audience = use(ReadersContext);
  const asked = JSON.stringify([match, tests]);
  const [wanted, setWanted] = useState<string | null>(null);
  const tree = readersOf(match, tests) as Tree | null;
  const { data, error } = useQuery({
    queryKey: ['readers', audience, tree],
    queryFn: () => counted(audience ?? EVERYBODY, tree ?? EVERYBODY),
    // Counting may take a while: only a click does it.
    enabled: wanted === asked && tree !== null,
    retry: false,
  });
  if (tree === null) return <p className="hint">Only conditions on contact fields can be counted.</p>;
  const isAsked = wanted === asked;
  return (
    <div className="who-sees">
      <button type="button" onClick={() => setWanted(asked)}>
        <Users aria-hidden="true" />
        {label}
      </button>
      <p role="status">
        {isAsked && <Answer data={data} isRefused={error !== null} whose={audience ? 'contacts of the audience' : 'contacts'} />}
      </p>
    </div>
  );
}
