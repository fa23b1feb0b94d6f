import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { api } from '../../parts/api.ts';
import { useAnswered } from '../../parts/changed.ts';
import type { Schemas } from '../../parts/api.ts';
import { useBrand } from '../../parts/blocks/brand.ts';
import { ContentField } from '../../parts/blocks/content-field.tsx';
import { contentOf, storedOf, withContent, withDesign } from '../../parts/blocks/content.ts';
import type { MailContent } from '../../parts/blocks/content.ts';
import { LineField } from '../../parts/blocks/insert-field.tsx';
import { starterDesign } from '../../parts/blocks/starter.ts';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { FromField } from '../../parts/from-field.tsx';
import type { Start } from '../../parts/gallery/start.ts';
import { LanguageTabs } from '../../parts/languages/language-tabs.tsx';
import { contentChanges, joinedVariants, previewedIn, variantsBody } from '../../parts/languages/variants.ts';
import type { Variant, Variants } from '../../parts/languages/variants.ts';
import { PreviewFrame } from '../../parts/message-frame.tsx';
import { Card } from '../../parts/page.tsx';
import { Preview } from '../../parts/preview.tsx';
import { SavedMeanwhile, refuseOther } from '../../parts/saved-meanwhile.tsx';
import { TopicField } from '../../parts/topic-field.tsx';
import { Unsaved, changesOf, differs } from '../../parts/unsaved.tsx';
import { say } from '../../parts/toasts/store.ts';
import { useMay } from '../../session/session.ts';

type Template = Schemas['Template'];
type Brand = NonNullable<ReturnType<typeof useBrand>>;
type Texts = Pick<Template, 'name' | 'subject' | 'fromEmail' | 'type'> & { readonly fromName: string; readonly topicId: string };
type Written = Texts & { readonly content: MailContent; readonly variants: Variants };

const NEW: Texts = { name: '', subject: '', fromEmail: '', fromName: '', type: 'transactional', topicId: '' };

const writtenOf = ({ name, subject, body, bodyBlocks, fromEmail, fromName, type, topicId, variants = {} }: Template): Written => ({
  name,
  subject,
  fromEmail,
  type,
  content: contentOf(body, bodyBlocks),
  fromName: fromName ?? '',
  topicId: topicId ?? '',
  variants,
});

const MEMBERS = ['previewText', 'fromName'] as const;

const bodyOf = ({ content, variants, topicId, fromName, ...texts }: Written) => ({
  ...texts,
  ...storedOf(content),
  variants: variantsBody(variants, MEMBERS),
  fromName: fromName.trim() || null,
  topicId: texts.type === 'marketing' && topicId !== '' ? topicId : null,
});

/** Returns the content of the default. */
const textsOf = ({ subject, content, fromName }: Written): Variant => withContent({ subject, fromName }, content);

const TOGETHER = [
  ['body', 'bodyBlocks'],
  ['type', 'topicId'],
] as const;

interface EditorProps {
  /** Null for a new one. */
  readonly template: Template | null;
  /** Content that a new one begins with; null for a blank one. */
  readonly start?: Start | null;
  readonly saved: (template: Template) => void;
}

const startOf = (start: Start | null, brand: Brand): Written => ({
  ...NEW,
  ...(start && { type: start.type, subject: start.subject }),
  variants: {},
  content: start ? contentOf(start.body, start.design) : withDesign(starterDesign(brand, NEW.type)),
});

/** Shows the text as it is written, to a session that may not have it rendered. */
const AsWritten = ({ body }: { readonly body: string }): ReactNode => (
  <Card title="Template preview">
    <PreviewFrame title="Template with placeholders" html={body} />
  </Card>
);

/** Shows the text of a template, next to its preview. */
export function Editor(props: EditorProps): ReactNode {
  const brand = useBrand();
  return brand && <TemplateForm {...props} brand={brand} />;
}

/** State that a draft is compared with. */
interface Kept {
  readonly version: number;
  /** A name and a type change without a new version. */
  readonly updatedAt: string;
  readonly written: Written;
}

/** Returns a draft. When somebody else has saved the template, what was changed here stays, and everything else is as they saved it. */
function useDraft(template: Template | null, first: () => Written) {
  const [kept, setKept] = useState((): Kept => ({
    version: template?.version ?? 0,
    updatedAt: template?.updatedAt ?? '',
    written: first(),
  }));
  const [written, setWritten] = useState(kept.written);
  const [met, setMet] = useState<Met | null>(null);
  const isChanged = differs(written, kept.written);
  const moveTo = (stored: Template, from: Written): void => {
    const theirs = writtenOf(stored);
    setKept({ version: stored.version, updatedAt: stored.updatedAt, written: theirs });
    setWritten((now) => {
      const variants = joinedVariants(theirs.variants, now.variants, from.variants);
      return { ...theirs, ...changesOf(now, from), variants };
    });
  };
  if (template !== null && template.updatedAt > kept.updatedAt) {
    moveTo(template, kept.written);
    const isOther = isChanged && differs(writtenOf(template), kept.written);
    setMet(isOther ? { version: template.version, isNew: template.version > kept.version } : null);
  }
  const saved = (stored: Template, sent: Written): void => {
    moveTo(stored, sent);
    setMet(null);
  };
  return { kept, written, setWritten, isChanged, met, saved };
}

/** Saves the changes of a template. Everything else stays as others have published it. */
async function saveChanges(id: string, kept: Kept, sent: Written): Promise<Template> {
  const changes = (now: Written) => contentChanges(bodyOf(now), bodyOf(kept.written), TOGETHER);
  const stored = await api.getTemplate(id);
  refuseOther(stored, changes(sent), changes(writtenOf(stored)));
  return api.updateTemplate(id, changes(sent));
}

/** Change that somebody else has saved meanwhile. */
interface Met {
  readonly version: number;
  /** Whether its content is another one, not only its name or type. */
  readonly isNew: boolean;
}

const MetVersion = ({ version, isNew }: Met): ReactNode => (
  <p className="notice" role="status">
    {isNew ? `Version ${version} was published` : 'Somebody else changed this template'} while you were editing. The fields and languages
    that you changed keep your text. Everything else now shows what they saved. If you publish, what you see here becomes version{' '}
    {version + 1}, and version {version} stays under Versions.
  </p>
);

function TemplateForm({ template, start = null, saved, brand }: EditorProps & { readonly brand: Brand }): ReactNode {
  const draft = useDraft(template, () => (template ? writtenOf(template) : startOf(start, brand)));
  const { kept, written, setWritten } = draft;
  const [language, setLanguage] = useState<string | null>(null);
  const mayChange = useMay('change');
  const queries = useQueryClient();
  const answered = useAnswered(['templates', 'one', template?.templateId ?? '']);
  const saving = useMutation({
    mutationFn: (sent: Written) => (template ? saveChanges(template.templateId, kept, sent) : api.createTemplate(bodyOf(sent))),
    onSuccess: (stored, sent) => {
      draft.saved(stored, sent);
      void queries.invalidateQueries({ queryKey: ['templates'] });
      saved(stored);
      say(template ? (stored.version > kept.version ? `Version ${stored.version} published.` : 'Template saved.') : 'Template created.');
    },
    // The notice about the other version says the rest.
    onError: (error) => error instanceof SavedMeanwhile && answered(error.stored),
  });
  const put =
    (name: keyof Texts) =>
    (value: string): void =>
      setWritten((before) => ({ ...before, [name]: value }));
  const putContent = useCallback((content: MailContent) => setWritten((before) => ({ ...before, content })), [setWritten]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate(written);
  };
  return (
    <div className="columns even">
      <Unsaved is={draft.isChanged} />
      <form className="card" onSubmit={submit}>
        <fieldset disabled={!mayChange}>
          <legend className="unseen">The template</legend>
          {draft.met !== null && <MetVersion {...draft.met} />}
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
            texts={textsOf(written)}
            variants={written.variants}
            change={(variants) => setWritten((before) => ({ ...before, variants }))}
            members={MEMBERS}
            type={written.type}
            disabled={!mayChange}
            language={language}
            show={setLanguage}
          >
            <LineField label="Subject" required value={written.subject} change={put('subject')} />
            <TextField label="From name" value={written.fromName} change={put('fromName')} />
            <ContentField content={written.content} change={putContent} type={written.type} brand={brand} disabled={!mayChange} />
          </LanguageTabs>
          {!(saving.error instanceof SavedMeanwhile) && <Faults error={saving.error} />}
          {mayChange && (
            <button type="submit" className="primary" disabled={saving.isPending}>
              {template ? `Publish version ${kept.version + 1}` : 'Create template'}
            </button>
          )}
        </fieldset>
      </form>
      {mayChange ? (
        <Preview content={{ ...previewedIn({ ...written, body: written.content.body }, written.variants, language), type: written.type }} />
      ) : (
        <AsWritten body={written.content.body} />
      )}
    </div>
  );
}
