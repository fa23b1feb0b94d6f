import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { CodeField } from '../../parts/code/code-field.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { FromField } from '../../parts/from-field.tsx';
import { LanguageTabs } from '../../parts/languages/language-tabs.tsx';
import type { Variants } from '../../parts/languages/language-tabs.tsx';
import { previewedIn, variantsBody } from '../../parts/languages/variants.ts';
import { PreviewFrame } from '../../parts/message-frame.tsx';
import { Card } from '../../parts/page.tsx';
import { Preview } from '../../parts/preview.tsx';
import { TopicField } from '../../parts/topic-field.tsx';
import { Unsaved, differs } from '../../parts/unsaved.tsx';
import { useMay } from '../../session/session.ts';

type Template = Schemas['Template'];
type Written = Pick<Template, 'name' | 'subject' | 'body' | 'fromEmail' | 'type'> & {
  readonly fromName: string;
  readonly topicId: string;
  readonly variants: Variants;
};

const START = '<p>Hello {{firstName | "there"}},</p>\n<p></p>';
const NEW: Written = { name: '', subject: '', body: START, fromEmail: '', fromName: '', type: 'transactional', topicId: '', variants: {} };

const writtenOf = ({ name, subject, body, fromEmail, fromName, type, topicId, variants = {} }: Template): Written => ({
  ...{ name, subject, body, fromEmail, type },
  fromName: fromName ?? '',
  topicId: topicId ?? '',
  variants,
});

const MEMBERS = ['previewText', 'fromName'] as const;

interface EditorProps {
  /** Null for a new one. */
  readonly template: Template | null;
  readonly saved: (template: Template) => void;
}

/** For a session that may not have it rendered. */
const AsWritten = ({ body }: { readonly body: string }): ReactNode => (
  <Card title="Template preview">
    <PreviewFrame title="Template with placeholders" html={body} />
  </Card>
);

/** Shows the text of a template, next to its preview. */
export function Editor({ template, saved }: EditorProps): ReactNode {
  const [written, setWritten] = useState<Written>(() => (template ? writtenOf(template) : NEW));
  const [language, setLanguage] = useState<string | null>(null);
  const mayChange = useMay('change');
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: () => {
      const topicId = written.type === 'marketing' && written.topicId !== '' ? written.topicId : null;
      const variants = variantsBody(written.variants, MEMBERS);
      const body = { ...written, fromName: written.fromName.trim() || null, topicId, variants };
      return template ? api.updateTemplate(template.templateId, body) : api.createTemplate(body);
    },
    onSuccess: (kept) => {
      void queries.invalidateQueries({ queryKey: ['templates'] });
      saved(kept);
    },
  });
  const put =
    (name: Exclude<keyof Written, 'variants'>) =>
    (value: string): void =>
      setWritten((before) => ({ ...before, [name]: value }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <div className="columns even">
      <Unsaved is={differs(written, template ? writtenOf(template) : NEW)} />
      <form className="card" onSubmit={submit}>
        <fieldset disabled={!mayChange}>
          <legend className="unseen">The template</legend>
          <TextField label="Name" required value={written.name} change={put('name')} />
          <FromField value={written.fromEmail} change={put('fromEmail')} />
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
          <LanguageTabs
            texts={{ subject: written.subject, body: written.body, fromName: written.fromName }}
            variants={written.variants}
            change={(variants) => setWritten((before) => ({ ...before, variants }))}
            members={MEMBERS}
            language={language}
            show={setLanguage}
          >
            <TextField label="Subject" required value={written.subject} change={put('subject')} />
            <TextField label="From name" value={written.fromName} change={put('fromName')} />
            <CodeField label="HTML" value={written.body} change={put('body')} />
          </LanguageTabs>
          <Faults error={saving.error} />
          {mayChange && (
            <button type="submit" className="primary" disabled={saving.isPending}>
              {template ? `Publish version ${template.version + 1}` : 'Create template'}
            </button>
          )}
        </fieldset>
      </form>
      {mayChange ? (
        <Preview content={{ ...previewedIn(written, written.variants, language), type: written.type }} />
      ) : (
        <AsWritten body={written.body} />
      )}
    </div>
  );
}
