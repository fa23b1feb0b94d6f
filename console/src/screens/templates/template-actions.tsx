import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveButton } from '../../parts/archive.tsx';
import { useDeleted } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { TestSend } from '../../parts/test-send.tsx';
import { previewedIn } from '../../parts/languages/variants.ts';
import { usePlaceholders } from '../../parts/placeholders.ts';
import { ValuesField } from '../../parts/values/values-field.tsx';
import type { Values } from '../../parts/values/values-field.tsx';

type Template = Schemas['Template'];

interface ValuesProps {
  readonly template: Template;
  readonly language: string;
  readonly value: Values | undefined;
  readonly change: (values: Values | undefined) => void;
}

function TestValues({ template, language, value, change }: ValuesProps): ReactNode {
  const { type, variants = {} } = template;
  return (
    <ValuesField
      label="Values"
      hint="Empty: the value of the contact, or the fallback"
      one="Placeholder"
      expected={usePlaceholders({ ...previewedIn(template, variants, language), type })}
      value={value}
      change={change}
    />
  );
}

function TemplateTest({ template }: { readonly template: Template }): ReactNode {
  const [values, setValues] = useState<Values>();
  return (
    <TestSend
      title={`Send a test of ${template.name}`}
      variants={template.variants}
      send={async (test) => api.testSendTemplate(template.templateId, { ...test, ...(values && { variables: values }) })}
    >
      {(language) => <TestValues template={template} language={language} value={values} change={setValues} />}
    </TestSend>
  );
}

/** Shows buttons for a template, except for editing its text. */
export function TemplateActions({ template }: { readonly template: Template }): ReactNode {
  const deleted = useDeleted('templates');
  return (
    <>
      <TemplateTest template={template} />
      <ArchiveButton kind="template" id={template.templateId} name={template.name} archivedAt={template.archivedAt} />
      <Confirm
        label="Delete template"
        title="Delete this template?"
        danger
        act={() => api.deleteTemplate(template.templateId)}
        done={deleted}
        said={`${template.name} deleted.`}
      >
        This deletes {template.name} and all its versions. Sent messages stay in the mail log. You cannot undo this.
      </Confirm>
    </>
  );
}
