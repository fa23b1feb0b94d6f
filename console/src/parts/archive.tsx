import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from './api.ts';
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

export type Kind = keyof typeof KINDS;

interface Archiving {
  readonly ids: readonly string[];
  readonly isArchived: boolean;
  /** Returns the name of what was archived, by the ids. */
  readonly nameOf: (ids: readonly string[]) => string;
}

interface Archived {
  readonly done: readonly string[];
  readonly refused: readonly string[];
  /** The reason of the first refusal. */
  readonly reason: string | null;
}

/** Calls with one id after another. One that is refused holds back no other. */
async function inTurn(ids: readonly string[], call: Call): Promise<Archived> {
  const [done, refused]: [string[], string[]] = [[], []];
  let reason: string | null = null;
  for (const id of ids)
    await call(id).then(
      () => done.push(id),
      (error: Error) => {
        refused.push(id);
        reason ??= error.message;
      },
    );
  return { done, refused, reason };
}

async function allInTurn(ids: readonly string[], call: Call): Promise<void> {
  const { reason } = await inTurn(ids, call);
  if (reason !== null) throw new Error(reason);
}

/** Returns what archives some of a kind, or brings them back. It says so, and offers to undo it. */
function useArchiving(kind: Kind) {
  const queries = useQueryClient();
  const { archive, unarchive, key } = KINDS[kind];
  return useMutation({
    mutationFn: ({ ids, isArchived }: Archiving) => inTurn(ids, isArchived ? unarchive : archive),
    onSuccess: ({ done }, { isArchived, nameOf }) => {
      const undo = (): Promise<void> => allInTurn(done, isArchived ? archive : unarchive);
      if (done.length > 0) say({ text: `${nameOf(done)} ${isArchived ? 'unarchived' : 'archived'}.`, undo });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [key] }),
  });
}

const Refusal = ({ data }: { readonly data: Archived | undefined }): ReactNode => (
  <span aria-live="polite">{data && data.reason !== null && <span className="fault">{data.reason}</span>}</span>
);

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
  const { mutate, data, isPending } = useArchiving(kind);
  const isArchived = archivedAt !== undefined;
  return (
    <>
      <Refusal data={data} />
      <button type="button" disabled={isPending} onClick={() => mutate({ ids: [id], isArchived, nameOf: () => name })}>
        {isArchived ? 'Unarchive' : 'Archive'}
      </button>
    </>
  );
}

interface BulkProps {
  readonly kind: Kind;
  readonly selection: Selection;
  /** Whether the selected rows are archived. */
  readonly isArchived: boolean;
}

/** Shows the actions for the selected rows of a list; nothing while none is selected. */
export function ArchiveBulk({ kind, selection, isArchived }: BulkProps): ReactNode {
  const { mutate, data, isPending } = useArchiving(kind);
  const ids = [...selection.ids];
  if (ids.length === 0) return null;
  const nameOf = ({ length }: readonly string[]): string => `${count(length)} ${kind}${length === 1 ? '' : 's'}`;
  const archive = (): void => mutate({ ids, isArchived, nameOf }, { onSuccess: ({ refused }) => selection.set(refused) });
  return (
    <section className="bulk" aria-label={`Selected ${kind}s`}>
      <p>
        <strong>{nameOf(ids)} selected</strong>
      </p>
      <div className="actions">
        <Refusal data={data} />
        <button type="button" disabled={isPending} onClick={archive}>
          {isArchived ? 'Unarchive' : 'Archive'}
        </button>
        <button type="button" className="quiet" onClick={() => selection.set([])}>
          Clear selection
        </button>
      </div>
    </section>
  );
}
