import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { ConditionEditor } from '../../parts/conditions/editor.tsx';
import { NEW_TREE } from '../../parts/conditions/language.ts';
import type { Tree } from '../../parts/conditions/language.ts';
import { PreviewCard, faultsIn, usePreview } from '../../parts/conditions/preview.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { Page } from '../../parts/page.tsx';
import { SaveFaults, refuseOther } from '../../parts/saved-meanwhile.tsx';
import { Answer } from '../../parts/states.tsx';
import { EDITED, SAVED, Unsaved, changesOf, differs } from '../../parts/unsaved.tsx';
import { say } from '../../parts/toasts/store.ts';

type Segment = Schemas['Segment'];

interface Written {
  readonly name: string;
  readonly description: string;
  readonly type: Segment['type'];
  readonly conditions: Tree;
}

const NEW: Written = { name: '', description: '', type: 'dynamic', conditions: NEW_TREE };

const writtenOf = ({ name, description, type, conditions }: Segment): Written => ({
  name,
  type,
  description: description ?? '',
  conditions: (conditions as Tree | null) ?? NEW_TREE,
});

const bodyOf = ({ name, description, type, conditions }: Written) => ({
  name,
  description: description.trim() || null,
  ...(type === 'dynamic' && { conditions }),
});

const editedKey = (id: string) => ['segments', id, 'edited'] as const;

/** Saves the changes of a segment. Everything else stays as others have stored it. */
async function saveChanges(segment: Segment, seen: Segment, written: Written): Promise<Segment> {
  const mine = changesOf(bodyOf(written), bodyOf(writtenOf(segment)));
  const stored = await api.getSegment(segment.segmentId);
  refuseOther(stored, mine, changesOf(bodyOf(writtenOf(stored)), bodyOf(writtenOf(seen))));
  return api.updateSegment(segment.segmentId, mine);
}

function SegmentForm({ segment }: { readonly segment: Segment | null }): ReactNode {
  const [kept] = useState(() => (segment ? writtenOf(segment) : NEW));
  const [written, setWritten] = useState(kept);
  const isDynamic = written.type === 'dynamic';
  const preview = usePreview(isDynamic ? written.conditions : null);
  const queries = useQueryClient();
  const changed = useChanged('segments');
  const navigate = useNavigate();
  const saving = useMutation({
    mutationFn: (seen: Segment | null) =>
      segment && seen ? saveChanges(segment, seen, written) : api.createSegment({ ...bodyOf(written), type: written.type }),
    onSuccess: ({ segmentId }) => {
      changed();
      void navigate(`/segments/${segmentId}`, SAVED);
      say(segment ? 'Segment saved.' : 'Segment created.');
    },
  });
  const put = (change: Partial<Written>): void => setWritten((before) => ({ ...before, ...change }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate(segment);
  };
  return (
    <div className="columns wide-first">
      <Unsaved is={differs(written, kept)} />
      <form className="card" onSubmit={submit}>
        <fieldset>
          <legend className="unseen">The segment</legend>
          <TextField label="Name" required value={written.name} change={(name) => put({ name })} />
          <TextField label="Description" value={written.description} change={(description) => put({ description })} />
          {!segment && (
            <ChoiceField
              label="Type"
              value={written.type}
              change={(type) => put({ type: type as Segment['type'] })}
              options={[
                ['dynamic', 'Dynamic: contacts that match conditions'],
                ['static', 'Static: contacts that you add'],
              ]}
            />
          )}
          {isDynamic && (
            <ConditionEditor
              tree={written.conditions}
              faults={faultsIn(saving.error ?? preview.error)}
              change={(conditions) => put({ conditions })}
            />
          )}
          <SaveFaults<Segment>
            error={saving.error}
            page={`/segments/${segment?.segmentId}`}
            replace={saving.mutate}
            discard={(stored) => queries.setQueryData(editedKey(stored.segmentId), stored)}
          />
          <button type="submit" className="primary" disabled={saving.isPending}>
            {saving.isPending ? 'Saving and counting members …' : 'Save segment'}
          </button>
        </fieldset>
      </form>
      {isDynamic && <PreviewCard preview={preview} />}
    </div>
  );
}

/** Creates a segment. */
export const NewSegment = (): ReactNode => (
  <Page title="New segment" under={{ label: 'Segments', to: '/segments' }}>
    <SegmentForm segment={null} />
  </Page>
);

/** Changes a segment. */
export function EditSegment(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: editedKey(id), queryFn: () => api.getSegment(id), ...EDITED });
  return (
    <Answer query={query} what="the segment">
      {(segment) => (
        <Page title={`Edit ${segment.name}`} under={{ label: segment.name, to: `/segments/${id}` }}>
          <SegmentForm key={query.dataUpdatedAt} segment={segment} />
        </Page>
      )}
    </Answer>
  );
}
