import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { CodeField } from '../../parts/code/code-field.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { FromField } from '../../parts/from-field.tsx';
import type { Start } from '../../parts/gallery/start.ts';
import { PreviewFrame } from '../../parts/message-frame.tsx';
import { Card } from '../../parts/page.tsx';
import { Preview } from '../../parts/preview.tsx';
import { TopicField } from '../../parts/topic-field.tsx';
import { Unsaved, differs } from '../../parts/unsaved.tsx';
import { useMay } from '../../session/session.ts';

type Template = Schemas['Template'];
type Written = Pick<Template, 'name' | 'subject' | 'body' | 'fromEmail' | 'type'> & { readonly fromName: string; readonly topicId: string };

const START = '<p>Hello {{firstName | "there"}},</p>\n<p></p>';
const NEW: Written = { name: '', subject: '', body: START, fromEmail: '', fromName: '', type: 'transactional', topicId: '' };

const writtenOf = ({ name, subject, body, fromEmail, fromName, type, topicId }: Template): Written => ({
  ...{ name, subject, body, fromEmail, type },
  fromName: fromName ?? '',
  topicId: topicId ?? '',
});

interface EditorProps {
  /** Null for a new one. */
  readonly template: Template | null;
  /** Content that a new one begins with; null for a blank one. */
  readonly start?: Start | null;
  readonly saved: (template: Template) => void;
}

const startOf = (start: Start | null): Written => ({
  ...NEW,
  ...(start && { type: start.type, subject: start.subject, body: start.body }),
});

/** For a session that may not have it rendered. */
const AsWritten = ({ body }: { readonly body: string }): ReactNode => (
  <Card title="Template preview">
    <PreviewFrame title="Template with placeholders" html={body} />
  </Card>
);

/** Shows the text of a template, next to its preview. */
export function Editor({ template, start = null, saved }: EditorProps): ReactNode {
  const kept = template ? writtenOf(template) : startOf(start);
  const [written, setWritten] = useState<Written>(kept);
  const mayChange = useMay('change');
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: () => {
      const topicId = written.type === 'marketing' && written.topicId !== '' ? written.topicId : null;
      const body = { ...written, fromName: written.fromName.trim() || null, topicId };
      return template ? api.updateTemplate(template.templateId, body) : api.createTemplate(body);
    },
    onSuccess: (stored) => {
      void queries.invalidateQueries({ queryKey: ['templates'] });
      saved(stored);
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
  return (
    <div className="columns even">
      <Unsaved is={differs(written, kept)} />
      <form className="card" onSubmit={submit}>
        <fieldset disabled={!mayChange}>
          <legend className="unseen">The template</legend>
          <TextField label="Name" required value={written.name} change={put('name')} />
          <TextField label="Subject" required value={written.subject} change={put('subject')} />
          <FromField value={written.fromEmail} change={put('fromEmail')} />
          <TextField label="From name" value={written.fromName} change={put('fromName')} />
          <ChoiceField
            label="Type"
            value={written.type}
            change={put('type')}
            options={[
              ['transactional', 'Transactional: receipts, password resets'],
              ['marketing', 'Marketing: with an unsubscribe link'],
            ]}
          />
          {written.type === 'marketing' && <TopicField value={written.topicId} change={put('topicId')} />}
          <CodeField label="HTML" value={written.body} change={put('body')} />
          <Faults error={saving.error} />
          {mayChange && (
            <button type="submit" className="primary" disabled={saving.isPending}>
              {template ? `Publish version ${template.version + 1}` : 'Create template'}
            </button>
          )}
        </fieldset>
      </form>
      {mayChange ? (
        <Preview content={{ subject: written.subject, body: written.body, type: written.type }} />
      ) : (
        <AsWritten body={written.body} />
      )}
    </div>
  );
}
