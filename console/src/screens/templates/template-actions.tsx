import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveButton } from '../../parts/archive.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { AreaField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { objectIn } from '../../parts/json.ts';
import { TestLanguage } from '../../parts/languages/test-language.tsx';
import { testsAccepted } from '../../parts/toasts/tests-accepted.ts';

type Template = Schemas['Template'];

const NO_OBJECT = 'The values must be a JSON object, such as {"firstName": "Ada"}';

function TestSend({ template }: { readonly template: Template }): ReactNode {
  const [to, setTo] = useState('');
  const [values, setValues] = useState('{}');
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
            variables: objectIn(values, NO_OBJECT),
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
        <AreaField label="Values" hint="A JSON object" code rows={4} value={values} change={setValues} />
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
