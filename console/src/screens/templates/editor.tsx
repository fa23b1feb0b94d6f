import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { AreaField, ChoiceField, TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { MessageFrame } from '../../parts/message-frame.tsx';
import { Card } from '../../parts/page.tsx';
import { useMay } from '../../session/session.ts';

type Template = Schemas['Template'];
type Written = Pick<Template, 'name' | 'subject' | 'body' | 'fromEmail' | 'type'> & { readonly fromName: string };

const START = '<p>Hello {{firstName | "there"}},</p>\n<p></p>';
const NEW: Written = { name: '', subject: '', body: START, fromEmail: '', fromName: '', type: 'transactional' };

const writtenOf = ({ name, subject, body, fromEmail, fromName, type }: Template): Written => ({
  ...{ name, subject, body, fromEmail, type },
  fromName: fromName ?? '',
});

const PLACE = /\{\{\{?\s*([A-Za-z_][\w.-]*)/g;
const NO_VALUES = new Set(['if', 'unless', 'each', 'with', 'else', 'this']);

/** The names that a text has places for. */
const variablesIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(PLACE)].map(([, name = '']) => name))].filter((name) => !NO_VALUES.has(name)).sort();

interface EditorProps {
  /** Null to make one. */
  readonly template: Template | null;
  readonly saved: (template: Template) => void;
}

/** The text of a template, beside how it looks. */
export function Editor({ template, saved }: EditorProps): ReactNode {
  const [written, setWritten] = useState<Written>(() => (template ? writtenOf(template) : NEW));
  const shown = useDeferredValue(written.body);
  const mayChange = useMay('change');
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: () => {
      const body = { ...written, fromName: written.fromName.trim() || null };
      return template ? api.updateTemplate(template.templateId, body) : api.createTemplate(body);
    },
    onSuccess: (kept) => {
      void queries.invalidateQueries({ queryKey: ['templates'] });
      saved(kept);
    },
  });
  const put =
    (name: keyof Written) =>
    (value: string): void =>
      setWritten((before) => ({ ...before, [name]: value }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  const variables = variablesIn(`${written.subject} ${written.body}`);
  return (
    <div className="columns even">
      <form className="card" onSubmit={submit}>
        <fieldset disabled={!mayChange}>
          <legend className="unseen">The template</legend>
          <TextField label="Name" required value={written.name} change={put('name')} />
          <TextField label="Subject" required value={written.subject} change={put('subject')} />
          <TextField label="Sender’s address" type="email" required value={written.fromEmail} change={put('fromEmail')} />
          <TextField label="Sender’s name" value={written.fromName} change={put('fromName')} />
          <ChoiceField
            label="Type"
            value={written.type}
            change={put('type')}
            options={[
              ['transactional', 'Transactional: what somebody waits for'],
              ['marketing', 'Marketing: with a way to opt out'],
            ]}
          />
          <AreaField label="HTML" code rows={18} required value={written.body} change={put('body')} />
          <p className="hint">{variables.length === 0 ? 'It has no places for values.' : `Places for values: ${variables.join(', ')}`}</p>
          <Faults error={saving.error} />
          {mayChange && (
            <button type="submit" className="primary" disabled={saving.isPending}>
              {template ? `Save as version ${template.version + 1}` : 'Save'}
            </button>
          )}
        </fieldset>
      </form>
      <Card title="As it is written">
        <MessageFrame title="The template as it is written" html={shown} />
      </Card>
    </div>
  );
}
