import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from './api.ts';
import { ChoiceField } from './fields.tsx';
import { count } from './numbers.ts';
import type { Selection } from './selection.ts';
import { say } from './toasts/store.ts';

type Call = (id: string) => Promise<unknown>;

/** The calls that archive and unarchive each kind, and the first part of the keys of its queries. */
const KINDS = {
  campaign: { archive: (id) => api.archiveCampaign(id), unarchive: (id) => api.unarchiveCampaign(id), key: 'campaigns' },
  automation: { archive: (id) => api.archiveWorkflow(id), unarchive: (id) => api.unarchiveWorkflow(id), key: 'automations' },
  template: { archive: (id) => api.archiveTemplate(id), unarchive: (id) => api.unarchiveTemplate(id), key: 'templates' },
  segment: { archive: (id) => api.archiveSegment(id), unarchive: (id) => api.unarchiveSegment(id), key: 'segments' },
} as const satisfies Record<string, { readonly archive: Call; readonly unarchive: Call; readonly key: string }>;

type Kind = keyof typeof KINDS;

const inTurn = async (ids: readonly string[], call: Call): Promise<void> => {
  for (const id of ids) await call(id);
};

/** Returns what archives some of a kind, or brings them back. It says so, and offers to undo it. */
function useArchiving(kind: Kind, isArchived: boolean) {
  const queries = useQueryClient();
  const { archive, unarchive, key } = KINDS[kind];
  const [call, undo] = isArchived ? [unarchive, archive] : [archive, unarchive];
  return useMutation({
    mutationFn: ({ ids }: { readonly ids: readonly string[]; readonly name: string }) => inTurn(ids, call),
    onSuccess: (_nothing, { ids, name }) =>
      say({ text: `${name} ${isArchived ? 'is back in the list' : 'archived'}.`, undo: () => inTurn(ids, undo) }),
    onSettled: () => queries.invalidateQueries({ queryKey: [key] }),
  });
}

interface ArchiveProps {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly archivedAt: string | undefined;
}

/** Returns whether a choice offers something: what is archived only where it is chosen already. */
export const isOffered = ({ archivedAt }: { readonly archivedAt?: string | undefined }, isChosen: boolean): boolean =>
  archivedAt === undefined || isChosen;

/** Shows a button that archives something, or brings it back. */
export function ArchiveButton({ kind, id, name, archivedAt }: ArchiveProps): ReactNode {
  const { mutate, error, isPending } = useArchiving(kind, archivedAt !== undefined);
  return (
    <>
      <span aria-live="polite">{error && <span className="fault">{error.message}</span>}</span>
      <button type="button" disabled={isPending} onClick={() => mutate({ ids: [id], name })}>
        {archivedAt === undefined ? 'Archive' : 'Unarchive'}
      </button>
    </>
  );
}

interface ArchivedFilterProps {
  /** `true`, or nothing. */
  readonly value: string;
  readonly change: (value: string) => void;
}

/** Asks whether a list shows what is archived instead of what is not. */
export const ArchivedFilter = ({ value, change }: ArchivedFilterProps): ReactNode => (
  <ChoiceField
    label="Archived"
    value={value}
    change={change}
    options={[
      ['', 'Hidden'],
      ['true', 'Only archived'],
    ]}
  />
);

interface BulkProps {
  readonly kind: Kind;
  readonly selection: Selection;
  /** Whether the selected rows are archived. */
  readonly isArchived: boolean;
}

/** Shows the actions for the selected rows of a list; nothing while none is selected. */
export function ArchiveBulk({ kind, selection, isArchived }: BulkProps): ReactNode {
  const { mutate, error, isPending } = useArchiving(kind, isArchived);
  const ids = [...selection.ids];
  if (ids.length === 0) return null;
  const name = `${count(ids.length)} ${kind}${ids.length === 1 ? '' : 's'}`;
  return (
    <section className="bulk" aria-label={`Selected ${kind}s`}>
      <p>
        <strong>{name} selected</strong>
      </p>
      <div className="actions">
        <span aria-live="polite">{error && <span className="fault">{error.message}</span>}</span>
        <button type="button" disabled={isPending} onClick={() => mutate({ ids, name }, { onSuccess: () => selection.set([]) })}>
          {isArchived ? 'Unarchive' : 'Archive'}
        </button>
        <button type="button" className="quiet" onClick={() => selection.set([])}>
          Clear selection
        </button>
      </div>
    </section>
  );
}
