import { useState } from 'react';
import type { ReactNode } from 'react';
import { Pick } from '../../../parts/conditions/names.tsx';
import { useBrand } from '../../../parts/blocks/brand.ts';
import { ContentField } from '../../../parts/blocks/content-field.tsx';
import { contentOf, storedOf } from '../../../parts/blocks/content.ts';
import type { MailContent } from '../../../parts/blocks/content.ts';
import { LineField } from '../../../parts/blocks/insert-field.tsx';
import { ChoiceField, TextField } from '../../../parts/fields.tsx';
import { FromField, useLastSender } from '../../../parts/from-field.tsx';
import { LanguageTabs } from '../../../parts/languages/language-tabs.tsx';
import type { Variants } from '../../../parts/languages/language-tabs.tsx';
import { variantsBody } from '../../../parts/languages/variants.ts';
import { useTemplateChoice } from '../../../parts/templates.ts';
import { TopicField } from '../../../parts/topic-field.tsx';
import { newStep, textIn } from '../graph/model.ts';
import type { Config } from '../graph/model.ts';
import { orNone, withMember } from './form.ts';
import type { FormProps } from './form.ts';
import { PlaceholderValues } from './placeholder-values.tsx';

function TemplateName({ config, change }: FormProps): ReactNode {
  return (
    <Pick
      label="Template"
      value={textIn(config, 'templateId')}
      change={(templateId) => change({ ...config, templateId })}
      rows={useTemplateChoice(textIn(config, 'templateId'))}
    />
  );
}

const MEMBERS = ['previewText', 'fromName'] as const;

const textsOf = (config: FormProps['config']) => ({
  ...{ subject: textIn(config, 'subject'), body: textIn(config, 'body') },
  ...{ previewText: textIn(config, 'previewText'), fromName: textIn(config, 'fromName') },
});

const variantsIn = ({ variants = {} }: FormProps['config']): Variants => variants as Variants;

/** Shows the content of the message: blocks or HTML. */
function Content({ config, change }: FormProps): ReactNode {
  const brand = useBrand();
  const put = (content: MailContent): void => {
    const { body, bodyBlocks = config['bodyBlocks'] } = storedOf(content);
    change(withMember(withMember(config, 'body', body), 'bodyBlocks', bodyBlocks ?? undefined));
  };
  return (
    brand && (
      <ContentField
        content={contentOf(textIn(config, 'body'), config['bodyBlocks'])}
        change={put}
        type={textIn(config, 'type') === 'transactional' ? 'transactional' : 'marketing'}
        brand={brand}
      />
    )
  );
}

function Inline({ config, change }: FormProps): ReactNode {
  const [language, setLanguage] = useState<string | null>(null);
  const put = (member: string) => (value: string) => change(withMember(config, member, value));
  const putOrNone = (member: string) => (value: string) => change(withMember(config, member, orNone(value)));
  return (
    <>
      <FromField value={textIn(config, 'fromEmail')} change={put('fromEmail')} />
      <TextField label="Reply-to" type="email" value={textIn(config, 'replyTo')} change={putOrNone('replyTo')} />
      <ChoiceField
        label="Type"
        value={textIn(config, 'type')}
        change={(type) => change(withMember(type === 'marketing' ? config : withMember(config, 'topicId', undefined), 'type', type))}
        options={[
          ['marketing', 'Marketing: with an unsubscribe link'],
          ['transactional', 'Transactional: receipts, password resets'],
        ]}
      />
      {textIn(config, 'type') === 'marketing' && <TopicField value={textIn(config, 'topicId')} change={putOrNone('topicId')} />}
      <LanguageTabs
        texts={textsOf(config)}
        variants={variantsIn(config)}
        change={(variants) => change(withMember(config, 'variants', variantsBody(variants, MEMBERS) ?? undefined))}
        members={MEMBERS}
        language={language}
        show={setLanguage}
      >
        <LineField label="Subject" required value={textIn(config, 'subject')} change={put('subject')} />
        <LineField label="Preview text" value={textIn(config, 'previewText')} change={putOrNone('previewText')} />
        <TextField label="From name" value={textIn(config, 'fromName')} change={putOrNone('fromName')} />
        <Content config={config} change={change} />
      </LanguageTabs>
    </>
  );
}

/** The content that was switched away from, by the configuration that has the other one now. Never saved; forgotten with the editor. */
const BEFORE = new WeakMap<Config, Config>();

/** Shows the form for a message: a template, or its own text. */
export function MessageForm({ config, change }: FormProps): ReactNode {
  const isStored = 'templateId' in config;
  const sender = useLastSender();
  const before = BEFORE.get(config);
  const put = (next: Config, other = before): void => {
    if (other) BEFORE.set(next, other);
    change(next);
  };
  const switchTo = (chosen: string): void => {
    const blank = chosen === 'stored' ? { templateId: '' } : newStep('send_email', sender?.fromEmail).config;
    put(withMember(before ?? blank, 'variables', config['variables']), config);
  };
  return (
    <>
      <ChoiceField
        label="Content"
        value={isStored ? 'stored' : 'inline'}
        change={switchTo}
        options={[
          ['inline', 'Write here'],
          ['stored', 'Use a template'],
        ]}
      />
      {isStored ? <TemplateName config={config} change={put} /> : <Inline config={config} change={put} />}
      <PlaceholderValues config={config} change={put} />
    </>
  );
}
