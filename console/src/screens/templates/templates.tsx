import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveBulk } from '../../parts/archive.tsx';
import { When } from '../../parts/dates.tsx';
import { given, useFilters } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { NamedFilters } from '../../parts/named-filters.tsx';
import { Page } from '../../parts/page.tsx';
import { useSelection } from '../../parts/selection.ts';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

type Template = Schemas['Template'];
type Query = NonNullable<Parameters<typeof api.listTemplates>[0]>;

const TYPES = [
  ['transactional', 'Transactional'],
  ['marketing', 'Marketing'],
] as const;

const COLUMNS = [
  {
    name: 'Template',
    show: ({ templateId, name }: Template) => (
      <Link to={`/templates/${templateId}`} className="row-link">
        {name}
      </Link>
    ),
    sortValue: ({ name }: Template) => name,
  },
  { name: 'Subject', show: ({ subject }: Template) => subject, sortValue: ({ subject }: Template) => subject },
  { name: 'Type', show: ({ type }: Template) => type, sortValue: ({ type }: Template) => type },
  { name: 'Version', show: ({ version }: Template) => version, sortValue: ({ version }: Template) => version },
  { name: 'Updated', show: ({ updatedAt }: Template) => <When at={updatedAt} />, sortValue: ({ updatedAt }: Template) => updatedAt },
];

/** Shows stored messages, newest first. */
export function Templates(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['search', 'type', 'archived']);
  const mayChange = useMay('change');
  const isArchived = filters.archived === 'true';
  const query = { ...given(filters), archived: isArchived } as Query;
  const selection = useSelection(JSON.stringify(query));
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
      <NamedFilters filters={filters} setFilter={setFilter} by="type" label="Type" options={TYPES} />
      <ArchiveBulk kind="template" selection={selection} isArchived={isArchived} />
      <List
        caption="templates"
        queryKey={['templates', query]}
        rows={() => api.listTemplates(query)}
        idOf={({ templateId }) => templateId}
        columns={COLUMNS}
        selecting={mayChange ? { selection, nameOf: ({ name }) => name } : undefined}
        empty={
          <Empty
            title={isFiltered ? 'No matching templates' : 'No templates yet'}
            next={mayChange && !isFiltered && { label: 'Create your first template', to: '/templates/start' }}
          >
            <p>A template is a reusable message with placeholders. Create one, then send it by its ID or use it in an automation.</p>
          </Empty>
        }
      />
    </Page>
  );
}
