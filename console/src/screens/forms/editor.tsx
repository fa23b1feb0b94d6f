import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { AreaField, CheckField, ChoiceField, TextField } from '../../parts/fields.tsx';
import { Page } from '../../parts/page.tsx';
import { SaveFaults, refuseOther } from '../../parts/saved-meanwhile.tsx';
import { Answer } from '../../parts/states.tsx';
import { useTemplateChoice } from '../../parts/templates.ts';
import { useTopics } from '../../parts/topics.ts';
import { EDITED, SAVED, Unsaved, changesOf, differs } from '../../parts/unsaved.tsx';
import { say } from '../../parts/toasts/store.ts';
import { FieldRows } from './field-rows.tsx';
import { FormPreview } from './preview.tsx';
import { NEW, bodyOf, writtenOf } from './written.ts';
import type { Written } from './written.ts';

type Form = Schemas['Form'];

interface Part {
  readonly written: Written;
  readonly put: (change: Partial<Written>) => void;
}

const CONFIRMS = [
  ['button', 'Button: the link opens a page with a button'],
  ['link', 'Link: opening the link confirms'],
] as const;

/** Asks what people are asked, and what they agree to. */
const Questions = ({ written, put }: Part): ReactNode => (
  <>
    <TextField label="Name" hint="The title of the page" required maxLength={200} value={written.name} change={(name) => put({ name })} />
    <AreaField
      label="Consent text"
      hint="Shown above the button, and stored as evidence"
      rows={3}
      required
      value={written.consentText}
      change={(consentText) => put({ consentText })}
    />
    <TextField label="Privacy policy URL" type="url" value={written.privacyUrl} change={(privacyUrl) => put({ privacyUrl })} />
    <FieldRows fields={written.fields} change={(fields) => put({ fields })} />
  </>
);

/** Shows the topics that everyone who signs up joins; nothing where the project has none. */
function TopicChoices({ written, put }: Part): ReactNode {
  const topics = useTopics();
  if (topics.length === 0) return null;
  const without = (topicId: string): string[] => written.topics.filter((id) => id !== topicId);
  return (
    <fieldset className="choices">
      <legend>Topics to join</legend>
      {topics.map(({ topicId, name }) => (
        <CheckField
          key={topicId}
          label={name}
          checked={written.topics.includes(topicId)}
          change={(joins) => put({ topics: joins ? [...written.topics, topicId] : without(topicId) })}
        />
      ))}
    </fieldset>
  );
}

/** Asks how people confirm, and where they go. */
function OptIn({ written, put }: Part): ReactNode {
  const { templateId } = written;
  const templates = useTemplateChoice(templateId);
  const known = templateId === '' || templates.some(([id]) => id === templateId);
  return (
    <>
      <CheckField
        label="Double opt-in: people confirm by email"
        checked={written.doubleOptIn}
        change={(doubleOptIn) => put({ doubleOptIn })}
      />
      {!written.doubleOptIn && <p className="hint">People are subscribed at once. Only contacts that unsubscribed are asked to confirm.</p>}
      <ChoiceField
        label="Confirmation email"
        value={templateId}
        change={(chosen) => put({ templateId: chosen })}
        options={[['', 'Default text'], ...templates, ...(known ? [] : [[templateId, templateId] as const])]}
      />
      <p className="hint">A template needs {'{{confirmUrl}}'} in its body.</p>
      <ChoiceField
        label="Confirm by"
        value={written.confirm}
        options={CONFIRMS}
        change={(confirm) => put({ confirm: confirm as Written['confirm'] })}
      />
      <TextField
        label="Redirect URL"
        type="url"
        hint="Where the browser goes after sign-up. Empty: a page that says what happens next"
        value={written.redirectUrl}
        change={(redirectUrl) => put({ redirectUrl })}
      />
      <CheckField
        label="Proof of work: each browser computes for about a second"
        checked={written.proofOfWork}
        change={(proofOfWork) => put({ proofOfWork })}
      />
      {written.proofOfWork && <p className="hint">The page then needs JavaScript, and the snippet is a link to it.</p>}
    </>
  );
}

const editedKey = (id: string) => ['forms', id, 'edited'] as const;

/** Saves the changes of a form. Everything else stays as others have stored it. */
async function saveChanges(form: Form, seen: Form, written: Written): Promise<Form> {
  const mine = changesOf(bodyOf(written), bodyOf(writtenOf(form)));
  const stored = await api.getForm(form.formId);
  refuseOther(stored, mine, changesOf(bodyOf(writtenOf(stored)), bodyOf(writtenOf(seen))));
  return api.updateForm(form.formId, mine);
}

function FormEditor({ form }: { readonly form: Form | null }): ReactNode {
  const [kept] = useState(() => (form ? writtenOf(form) : NEW));
  const [written, setWritten] = useState(kept);
  const queries = useQueryClient();
  const changed = useChanged('forms');
  const navigate = useNavigate();
  const saving = useMutation({
    mutationFn: (seen: Form | null) => (form && seen ? saveChanges(form, seen, written) : api.createForm(bodyOf(written))),
    onSuccess: ({ formId }) => {
      changed();
      void navigate(`/forms/${formId}`, SAVED);
      say(form ? 'Form saved.' : 'Form created.');
    },
  });
  const put = (change: Partial<Written>): void => setWritten((before) => ({ ...before, ...change }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate(form);
  };
  return (
    <div className="columns even">
      <Unsaved is={differs(written, kept)} />
      <form className="card" onSubmit={submit}>
        <fieldset>
          <legend className="unseen">The form</legend>
          <Questions written={written} put={put} />
          <TopicChoices written={written} put={put} />
          <OptIn written={written} put={put} />
          <SaveFaults<Form>
            error={saving.error}
            page={`/forms/${form?.formId}`}
            replace={saving.mutate}
            discard={(stored) => queries.setQueryData(editedKey(stored.formId), stored)}
          />
          <button type="submit" className="primary" disabled={saving.isPending}>
            {form ? 'Save form' : 'Create form'}
          </button>
        </fieldset>
      </form>
      <FormPreview form={written} />
    </div>
  );
}

/** Creates a form. */
export const NewForm = (): ReactNode => (
  <Page title="New form" under={{ label: 'Forms', to: '/forms' }}>
    <FormEditor form={null} />
  </Page>
);

/** Changes a form. */
export function EditForm(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: editedKey(id), queryFn: () => api.getForm(id), ...EDITED });
  return (
    <Answer query={query} what="the form">
      {(form) => (
        <Page title={`Edit ${form.name}`} under={{ label: form.name, to: `/forms/${id}` }}>
          <FormEditor key={query.dataUpdatedAt} form={form} />
        </Page>
      )}
    </Answer>
  );
}
