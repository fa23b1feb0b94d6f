import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveButton } from '../../parts/archive.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { AreaField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { say } from '../../parts/toasts/store.ts';
import { count } from '../../parts/numbers.ts';
import { useMay } from '../../session/session.ts';

type Segment = Schemas['Segment'];

function useChanged(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['segments'] });
}

/** Counts the members again: the stored count may be a minute old, this one is exact. */
function CountButton({ id }: { readonly id: string }): ReactNode {
  const changed = useChanged();
  const counting = useMutation({
    mutationFn: () => api.refreshSegment(id),
    onSuccess: ({ memberCount }) => {
      changed();
      say(`Members: ${count(memberCount)}`);
    },
  });
  return (
    <>
      <span aria-live="polite">{counting.error && <span className="fault">{counting.error.message}</span>}</span>
      <button type="button" disabled={counting.isPending} onClick={() => counting.mutate()}>
        {counting.isPending ? 'Counting …' : 'Recount members'}
      </button>
    </>
  );
}

function AddMembers({ id }: { readonly id: string }): ReactNode {
  const changed = useChanged();
  const [text, setText] = useState('');
  const [missing, setMissing] = useState<readonly string[]>([]);
  const send = async () => {
    const emails = text.split(/[\s,;]+/).filter(Boolean);
    const added = await api.addSegmentMembers(id, { emails });
    setMissing(added.missing);
    changed();
    if (added.missing.length > 0)
      throw new Error(`No contact has this email: ${added.missing.slice(0, 5).join(', ')}. Add the contact first.`);
    return added;
  };
  return (
    <FormDialog
      label="Add members"
      title="Add members"
      primary
      save="Add"
      send={send}
      begin={() => setMissing([])}
      said={({ added }) => `Members added: ${count(added)}`}
    >
      <AreaField
        label="Email addresses"
        hint={missing.length > 0 ? 'The others were added.' : 'One contact per line, up to 1,000'}
        required
        value={text}
        change={setText}
      />
    </FormDialog>
  );
}

function DeleteButton({ segment: { segmentId, name } }: { readonly segment: Segment }): ReactNode {
  const changed = useChanged();
  const navigate = useNavigate();
  const done = (): void => {
    changed();
    void navigate('/segments');
  };
  return (
    <Confirm
      label="Delete segment"
      title={`Delete ${name}?`}
      danger
      act={() => api.deleteSegment(segmentId)}
      done={done}
      said={`${name} deleted.`}
    >
      Its members remain contacts. You cannot delete a segment that is in use.
    </Confirm>
  );
}

/** Shows buttons for a segment. */
export function SegmentActions({ segment }: { readonly segment: Segment }): ReactNode {
  const mayChange = useMay('change');
  if (!mayChange) return null;
  const { segmentId, type } = segment;
  return (
    <>
      {type === 'static' && <AddMembers id={segmentId} />}
      <Link className="button" to={`/segments/${segmentId}/edit`}>
        Edit
      </Link>
      <CountButton id={segmentId} />
      <ArchiveButton kind="segment" id={segmentId} name={segment.name} archivedAt={segment.archivedAt} />
      <DeleteButton segment={segment} />
    </>
  );
}

/** Takes one out of a segment whose members are chosen. */
export function RemoveMember({
  id,
  contactId,
  email,
}: {
  readonly id: string;
  readonly contactId: string;
  readonly email: string;
}): ReactNode {
  const changed = useChanged();
  return (
    <Confirm
      label="Remove"
      title={`Remove ${email} from the segment?`}
      act={() => api.removeSegmentMember(id, contactId)}
      done={changed}
      said={`${email} removed from the segment.`}
    >
      {email} remains a contact.
    </Confirm>
  );
}
