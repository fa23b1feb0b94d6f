import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { DiffView } from '../../parts/diff-view.tsx';
import { languageName } from '../../parts/languages/names.ts';
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
  { name: 'Created', show: ({ createdAt }: Version) => <When at={createdAt} /> },
];

/** Returns the text of a version, in all its languages. */
function textOf({ subject, fromName, fromEmail, body, variants = {} }: Version): string {
  const languages = Object.entries(variants).map(([language, { previewText, ...variant }]) => [
    `Language: ${languageName(language)}`,
    `Subject: ${variant.subject}`,
    ...(previewText ? [`Preview text: ${previewText}`] : []),
    ...(variant.fromName ? [`From: ${variant.fromName}`] : []),
    '',
    variant.body,
  ]);
  return [`Subject: ${subject}`, `From: ${fromName ?? ''} <${fromEmail}>`, '', body, ...languages.flatMap((lines) => ['', ...lines])].join(
    '\n',
  );
}

/** Shows the text of a version: compared with the current one, as a diff. */
const Text = ({ row, template }: { readonly row: Version; readonly template: Template }): ReactNode => (
  <details>
    <summary>{row.version === template.version ? 'Show' : `Compare with version ${template.version}`}</summary>
    <DiffView label={`Version ${row.version} compared with version ${template.version}`} before={textOf(row)} after={textOf(template)} />
  </details>
);

/** Lists the versions of a template, to roll back to. */
export function Versions({ template, changed }: VersionsProps): ReactNode {
  const { templateId, version: current } = template;
  const mayChange = useMay('change');
  const reread = useChanged('templates');
  const done = (): void => {
    reread();
    changed();
  };
  const text = { name: 'Text', show: (row: Version) => <Text row={row} template={template} /> };
  const back = {
    name: 'Action',
    show: ({ version }: Version) =>
      version === current ? (
        <span className="hint">current version</span>
      ) : (
        <Confirm
          label="Roll back"
          title={`Roll back to version ${version}?`}
          act={() => api.rollBackTemplate(templateId, { version })}
          done={done}
          said={(now) => `Version ${version} is published as version ${now.version}.`}
        >
          Publishes its content as version {current + 1}. All versions are kept.
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
        columns={[...COLUMNS, text, ...(mayChange ? [back] : [])]}
        empty={null}
      />
    </Card>
  );
}
