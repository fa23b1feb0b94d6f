import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged, useDeleted } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { When } from '../../parts/dates.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useTopics } from '../../parts/topics.ts';
import { useMay } from '../../session/session.ts';
import { FormFigures, Refused } from './figures.tsx';
import { FormPreview } from './preview.tsx';
import { State } from './state.tsx';

interface Of {
  readonly form: Schemas['Form'];
}

/** Opens a form that is held, or holds one that is open. */
function Turn({ form: { formId, name, state } }: Of): ReactNode {
  const done = useChanged('forms');
  const hold = () => api.updateForm(formId, { state: 'held' });
  const reopen = () => api.updateForm(formId, { state: 'open' });
  return state === 'held' ? (
    <Confirm label="Reopen form" title={`Reopen ${name}?`} act={reopen} done={done} said={{ text: `${name} reopened.`, undo: hold }}>
      It accepts sign-ups again. A burst of sign-ups holds it again.
    </Confirm>
  ) : (
    <Confirm label="Hold form" title={`Hold ${name}?`} act={hold} done={done} said={{ text: `${name} is held.`, undo: reopen }}>
      It accepts no sign-ups until you reopen it. People who already signed up can still confirm.
    </Confirm>
  );
}

const Delete = ({ form: { formId, name } }: Of): ReactNode => (
  <Confirm
    label="Delete form"
    title={`Delete ${name}?`}
    danger
    act={() => api.deleteForm(formId)}
    done={useDeleted('forms')}
    said={`${name} deleted.`}
  >
    Its page and your snippets stop working. People who already signed up can still confirm. You cannot undo this.
  </Confirm>
);

/** Shows buttons for a form. */
const FormActions = ({ form }: Of): ReactNode => (
  <>
    <Link className="button" to={`/forms/${form.formId}/edit`}>
      Edit
    </Link>
    <Turn form={form} />
    <Delete form={form} />
  </>
);

const HELD = {
  burst: 'Sign-ups to this form were far above normal, so it is on hold. Check the refused sign-ups, then reopen it.',
  manual: 'This form is on hold: it accepts no sign-ups. Reopen it to continue.',
} as const;

const Publish = ({ form: { url, snippet, proofOfWork } }: Of): ReactNode => (
  <Card title="Publish">
    <p>
      Link to the page of the form:{' '}
      <a href={url} target="_blank" rel="noreferrer">
        {url}
      </a>
    </p>
    <h3>HTML snippet</h3>
    <p className="hint">
      {proofOfWork
        ? 'Only the page of the form can do the proof of work. The snippet is a link to it.'
        : 'Copy it into your own page. It needs no script; keep the names of its inputs.'}
    </p>
    <pre tabIndex={0}>{snippet}</pre>
    <CopyButton label="Copy snippet" text={snippet} />
  </Card>
);

function Configuration({ form }: Of): ReactNode {
  const topics = useTopics();
  const { confirmation, confirm, doubleOptIn, redirectUrl, privacyUrl, proofOfWork, heldAt, createdAt } = form;
  const nameOf = (id: string): string => topics.find(({ topicId }) => topicId === id)?.name ?? id;
  return (
    <Card title="Configuration">
      <Facts
        facts={[
          ['Status', <State key="state" form={form} />],
          ['Held since', heldAt !== null && <When key="held" at={heldAt} />],
          ['Topics', form.topics.map(nameOf).join(', ')],
          ['Opt-in', doubleOptIn ? 'Double: people confirm by email' : 'Single: people are subscribed at once'],
          [
            'Confirmation',
            confirmation === 'default' ? (
              'Default text'
            ) : (
              <Link key="template" to={`/templates/${confirmation.templateId}`}>
                View template
              </Link>
            ),
          ],
          ['Confirm by', confirm === 'button' ? 'Button on a page' : 'Opening the link'],
          ['Redirect URL', redirectUrl],
          ['Privacy policy', privacyUrl],
          ['Proof of work', proofOfWork ? 'Required' : 'Off'],
          ['Created', <When key="created" at={createdAt} />],
        ]}
      />
    </Card>
  );
}

/** Shows one form: how people sign up with it, and how many did. */
export function FormPage(): ReactNode {
  const { id = '' } = useParams();
  const mayChange = useMay('change');
  const query = useQuery({ queryKey: ['forms', id], queryFn: () => api.getForm(id) });
  return (
    <Answer query={query} what="the form">
      {(form) => (
        <Page title={form.name} under={{ label: 'Forms', to: '/forms' }} actions={mayChange && <FormActions form={form} />}>
          {form.heldReason !== null && <p className="notice">{HELD[form.heldReason]}</p>}
          <FormFigures figures={form.figures} />
          <div className="columns even">
            <div>
              <Publish form={form} />
              <Refused figures={form.figures} />
              <Configuration form={form} />
            </div>
            <FormPreview form={form} />
          </div>
        </Page>
      )}
    </Answer>
  );
}
