import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveButton } from '../../parts/archive.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { TestLanguage } from '../../parts/languages/test-language.tsx';
import { previewedIn } from '../../parts/languages/variants.ts';
import { usePlaceholders } from '../../parts/placeholders.ts';
import { ValuesField } from '../../parts/values/values-field.tsx';
import type { Values } from '../../parts/values/values-field.tsx';
import { testsAccepted } from '../../parts/toasts/tests-accepted.ts';

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

function TestSend({ template }: { readonly template: Template }): ReactNode {
  const [to, setTo] = useState('');
  const [values, setValues] = useState<Values>();
  const [language, setLanguage] = useState('');
  return (
    <>
      <FormDialog
        label="Send test"
        title={`Send a test of ${template.name}`}
        save="Send test"
        send={async () =>
          api.testSendTemplate(template.templateId, {
            to: to.trim(),
            ...(values && { variables: values }),
            ...(language !== '' && { language }),
          })
        }
        said={({ id }) => testsAccepted([id])}
      >
        <TextField
          label="To"
          type="email"
          required
          value={to}
          change={setTo}
          hint="If a contact has this address, the test uses its values."
        />
        <TestLanguage variants={template.variants} value={language} change={setLanguage} />
        <TestValues template={template} language={language} value={values} change={setValues} />
      </FormDialog>
    </>
  );
}

/** Shows buttons for a template, except for editing its text. */
export function TemplateActions({ template }: { readonly template: Template }): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <>
      <TestSend template={template} />
      <ArchiveButton kind="template" id={template.templateId} name={template.name} archivedAt={template.archivedAt} />
      <Confirm
        label="Delete template"
        title="Delete this template?"
        danger
        act={() => api.deleteTemplate(template.templateId)}
        done={() => {
          void queries.invalidateQueries({ queryKey: ['templates'] });
          void navigate('/templates');
        }}
        said={`${template.name} deleted.`}
      >
        This deletes {template.name} and all its versions. Sent messages stay in the mail log. You cannot undo this.
      </Confirm>
    </>
  );
}
