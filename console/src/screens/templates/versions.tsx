import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { Card } from '../../parts/page.tsx';
import { useMay } from '../../session/session.ts';

type Template = Schemas['Template'];
type Version = Schemas['TemplateVersion'];

interface VersionsProps {
  readonly template: Template;
  readonly changed: () => void;
}

const COLUMNS = [
  { name: 'Version', show: ({ version }: Version) => version },
  { name: 'Subject', show: ({ subject }: Version) => subject },
  {
    name: 'Text',
    show: ({ body }: Version) => (
      <details>
        <summary>Show</summary>
        <pre tabIndex={0}>{body}</pre>
      </details>
    ),
  },
  { name: 'When', show: ({ createdAt }: Version) => <When at={createdAt} /> },
];

/** What a template was, and the way back. */
export function Versions({ template: { templateId, version: current }, changed }: VersionsProps): ReactNode {
  const mayChange = useMay('change');
  const queries = useQueryClient();
  const done = (): void => {
    void queries.invalidateQueries({ queryKey: ['templates'] });
    changed();
  };
  const back = {
    name: 'Action',
    show: ({ version }: Version) =>
      version === current ? (
        <span className="hint">in use</span>
      ) : (
        <Confirm
          label="Roll back"
          title={`Go back to version ${version}?`}
          act={() => api.rollBackTemplate(templateId, { version })}
          done={done}
        >
          Its text becomes version {current + 1}, which is used from then on. No version is lost.
        </Confirm>
      ),
  };
  return (
    <Card title="Versions">
      <List
        caption="versions"
        queryKey={['templates', templateId, 'versions', current]}
        rows={() => api.listTemplateVersions(templateId)}
        idOf={({ version }) => String(version)}
        columns={mayChange ? [...COLUMNS, back] : COLUMNS}
        empty={null}
      />
    </Card>
  );
}
