import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { AreaField } from '../../parts/fields.tsx';
import { objectIn } from '../../parts/json.ts';
import { TestSend } from '../../parts/test-send.tsx';

type Template = Schemas['Template'];

const NO_OBJECT = 'The values must be a JSON object, such as {"firstName": "Ada"}';

function TemplateTest({ template }: { readonly template: Template }): ReactNode {
  const [values, setValues] = useState('{}');
  return (
    <TestSend
      title={`Send a test of ${template.name}`}
      variants={template.variants}
      send={async (test) => api.testSendTemplate(template.templateId, { ...test, variables: objectIn(values, NO_OBJECT) })}
    >
      <AreaField label="Values" hint="A JSON object" code rows={4} value={values} change={setValues} />
    </TestSend>
  );
}

/** Shows buttons for a template, except for editing its text. */
export function TemplateActions({ template }: { readonly template: Template }): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <>
      <TemplateTest template={template} />
      <Confirm
        label="Delete template"
        title="Delete this template?"
        danger
        act={() => api.deleteTemplate(template.templateId)}
        done={() => {
          void queries.invalidateQueries({ queryKey: ['templates'] });
          void navigate('/templates');
        }}
      >
        This deletes {template.name} and all its versions. Sent messages stay in the mail log. You cannot undo this.
      </Confirm>
    </>
  );
}
