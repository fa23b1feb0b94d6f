import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { State } from './state.tsx';

type Form = Schemas['FormWithFigures'];

const COLUMNS = [
  {
    name: 'Form',
    show: ({ formId, name }: Form) => (
      <Link to={`/forms/${formId}`} className="row-link">
        {name}
      </Link>
    ),
    sortValue: ({ name }: Form) => name,
  },
  { name: 'Status', show: (form: Form) => <State form={form} /> },
  { name: 'Sign-ups', show: ({ figures }: Form) => count(figures.submitted), sortValue: ({ figures }: Form) => figures.submitted },
  { name: 'Confirmed', show: ({ figures }: Form) => count(figures.confirmed), sortValue: ({ figures }: Form) => figures.confirmed },
  { name: 'Opt-in', show: ({ doubleOptIn }: Form) => (doubleOptIn ? 'Double' : 'Single') },
  { name: 'Updated', show: ({ updatedAt }: Form) => <When at={updatedAt} />, sortValue: ({ updatedAt }: Form) => updatedAt },
];

/** Shows every sign-up form, newest first. */
export function Forms(): ReactNode {
  const mayChange = useMay('change');
  return (
    <Page
      title="Forms"
      actions={
        mayChange && (
          <Link className="button primary" to="/forms/new">
            New form
          </Link>
        )
      }
    >
      <List
        caption="forms"
        queryKey={['forms', 'list']}
        rows={() => api.listForms()}
        idOf={({ formId }) => formId}
        columns={COLUMNS}
        empty={
          <Empty title="No forms yet" next={mayChange && { label: 'Create your first form', to: '/forms/new' }}>
            <p>People sign up with a form, on its own page or on yours. Each person confirms by email, and their consent is recorded.</p>
          </Empty>
        }
      />
    </Page>
  );
}
