import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged, useDeleted } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';

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
export const FormActions = ({ form }: Of): ReactNode => (
  <>
    <Link className="button" to={`/forms/${form.formId}/edit`}>
      Edit
    </Link>
    <Turn form={form} />
    <Delete form={form} />
  </>
);
