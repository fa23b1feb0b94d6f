import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { given, useFilters, useTyped } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

type Template = Schemas['Template'];
type Query = NonNullable<Parameters<typeof api.listTemplates>[0]>;

const COLUMNS = [
  {
    name: 'Template',
    show: ({ templateId, name }: Template) => (
      <Link to={`/templates/${templateId}`} className="row-link">
        {name}
      </Link>
    ),
  },
  { name: 'Subject', show: ({ subject }: Template) => subject },
  { name: 'Type', show: ({ type }: Template) => type },
  { name: 'Version', show: ({ version }: Template) => version },
  { name: 'Updated', show: ({ updatedAt }: Template) => <When at={updatedAt} /> },
];

/** Shows stored messages, newest first. */
export function Templates(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['search', 'type']);
  const [search, setSearch] = useTyped(filters.search, (text) => setFilter('search', text));
  const mayChange = useMay('change');
  const query = given(filters) as Query;
  return (
    <Page
      title="Templates"
      actions={
        mayChange && (
          <Link className="button primary" to="/templates/start">
            New template
          </Link>
        )
      }
    >
      <search className="filters">
        <TextField label="Name or subject" type="search" value={search} change={setSearch} />
        <ChoiceField
          label="Type"
          value={filters.type}
          change={(type) => setFilter('type', type)}
          options={[
            ['', 'Any'],
            ['transactional', 'Transactional'],
            ['marketing', 'Marketing'],
          ]}
        />
      </search>
      <List
        caption="templates"
        queryKey={['templates', query]}
        rows={() => api.listTemplates(query)}
        idOf={({ templateId }) => templateId}
        columns={COLUMNS}
        empty={
          <Empty title={isFiltered ? 'No matching templates' : 'No templates yet'}>
            <p>A template is a reusable message with placeholders. Create one, then send it by its ID or use it in an automation.</p>
          </Empty>
        }
      />
    </Page>
  );
}
