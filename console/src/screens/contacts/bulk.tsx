import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import type { Selection } from '../../parts/selection.ts';

type Action = Schemas['ChangeContactsRequest']['action'];

/** Contacts in one request at most. */
const MOST = 1_000;

/** Calls with the addresses in parts that the API takes. Resolves to the answers. */
async function inParts<T>(emails: readonly string[], call: (part: string[]) => Promise<T>): Promise<readonly T[]> {
  const answers: T[] = [];
  for (let from = 0; from < emails.length; from += MOST) answers.push(await call(emails.slice(from, from + MOST)));
  return answers;
}

const change = (action: Action, emails: readonly string[]) => inParts(emails, (part) => api.changeContacts({ action, emails: part }));

const DONE: Readonly<Record<Action, string>> = {
  subscribe: 'subscribed',
  unsubscribe: 'unsubscribed',
  suppress: 'suppressed',
  delete: 'deleted',
};

const doneWith = (action: Action, answers: readonly Schemas['BulkResult'][]): string =>
  `${contacts(answers.reduce((sum, { changed }) => sum + changed, 0))} ${DONE[action]}.`;

const ACTIONS: readonly { readonly action: Action; readonly label: string; readonly what: string; readonly danger?: boolean }[] = [
  { action: 'subscribe', label: 'Subscribe', what: 'They receive marketing mail again. Subscribe only people who asked for it.' },
  { action: 'unsubscribe', label: 'Unsubscribe', what: 'They receive no more marketing mail. Transactional mail still reaches them.' },
  { action: 'suppress', label: 'Suppress', what: 'They receive no mail of any kind until the suppression is removed.', danger: true },
  {
    action: 'delete',
    label: 'Delete',
    what: 'The contacts, their fields and their segment memberships are deleted. This cannot be undone.',
    danger: true,
  },
];

interface BulkProps {
  /** The addresses. */
  readonly selection: Selection;
  readonly segments: readonly Schemas['Segment'][];
}

/** Adds the selected contacts to a static segment; nothing in a project that has none. */
function AddToSegment({ selection, segments, done }: BulkProps & { readonly done: () => void }): ReactNode {
  const lists = segments.filter(({ type, archivedAt }) => type === 'static' && !archivedAt);
  const [segmentId, setSegmentId] = useState('');
  if (lists.length === 0) return null;
  return (
    <FormDialog
      label="Add to segment"
      title={`Add ${countOf(selection)} to a segment`}
      save="Add"
      send={() => inParts([...selection.ids], (emails) => api.addSegmentMembers(segmentId, { emails }))}
      done={done}
      said={`${countOf(selection)} added to ${lists.find((each) => each.segmentId === segmentId)?.name}.`}
    >
      <ChoiceField
        label="Static segment"
        value={segmentId}
        change={setSegmentId}
        required
        options={[['', 'Choose a segment'], ...lists.map((each) => [each.segmentId, each.name] as const)]}
      />
    </FormDialog>
  );
}

const contacts = (number: number): string => `${count(number)} ${number === 1 ? 'contact' : 'contacts'}`;

const countOf = ({ ids }: Selection): string => contacts(ids.size);

/** Shows the actions for the selected contacts; nothing while none is selected. */
export function Bulk({ selection, segments }: BulkProps): ReactNode {
  const changed = useChanged('contacts');
  if (selection.ids.size === 0) return null;
  const emails = [...selection.ids];
  const done = (): void => {
    selection.set([]);
    changed();
  };
  return (
    <section className="bulk" aria-label="Selected contacts">
      <p>
        <strong>{countOf(selection)} selected</strong>
      </p>
      <div className="actions">
        {ACTIONS.map(({ action, label, what, danger = false }) => (
          <Confirm
            key={action}
            label={label}
            title={`${label} ${countOf(selection)}?`}
            danger={danger}
            act={() => change(action, emails)}
            done={done}
            said={(answers) => doneWith(action, answers)}
          >
            <p>{what}</p>
          </Confirm>
        ))}
        <AddToSegment selection={selection} segments={segments} done={done} />
        <button type="button" className="quiet" onClick={() => selection.set([])}>
          Clear selection
        </button>
      </div>
    </section>
  );
}
