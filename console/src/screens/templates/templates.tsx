import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchivableList } from '../../parts/archivable-list.tsx';
import { When } from '../../parts/dates.tsx';
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
export const Templates = (): ReactNode => (
  <ArchivableList
    kind="template"
    title="Templates"
    mayChange={useMay('change')}
    choice={{ by: 'type', label: 'Type', options: TYPES }}
    rows={(query: Query) => api.listTemplates(query)}
    idOf={({ templateId }) => templateId}
    columns={COLUMNS}
    create="/templates/start"
    about="A template is a reusable message with placeholders. Create one, then send it by its ID or use it in an automation."
  />
);
