import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../../parts/api.ts';
import { useBrand } from '../../../parts/blocks/brand.ts';
import { ContentField } from '../../../parts/blocks/content-field.tsx';
import { contentOf, withContent } from '../../../parts/blocks/content.ts';
import { LineField } from '../../../parts/blocks/insert-field.tsx';
import type { Fault } from '../../../parts/conditions/editor.tsx';
import { ChoiceField, TextField } from '../../../parts/fields.tsx';
import { FromField } from '../../../parts/from-field.tsx';
import { FullWindow } from '../../../parts/full-window.tsx';
import { LanguageTabs } from '../../../parts/languages/language-tabs.tsx';
import { previewedIn, variantsBody } from '../../../parts/languages/variants.ts';
import type { Variant, Variants } from '../../../parts/languages/variants.ts';
import { Preview } from '../../../parts/preview.tsx';
import { TestSend } from '../../../parts/test-send.tsx';
import { TopicField } from '../../../parts/topic-field.tsx';
import { textIn } from '../graph/model.ts';
import type { Config } from '../graph/model.ts';
import { orNone, withMember } from './form.ts';
import type { FormProps } from './form.ts';

const MEMBERS = ['previewText', 'fromName'] as const;

const contentIn = (config: Config) => contentOf(textIn(config, 'body'), config['bodyBlocks']);

const textsOf = (config: Config): Variant =>
  withContent(
    { subject: textIn(config, 'subject'), previewText: textIn(config, 'previewText'), fromName: textIn(config, 'fromName') },
    contentIn(config),
  );

const variantsIn = ({ variants = {} }: Config): Variants => variants as Variants;

const typeOf = (config: Config): 'transactional' | 'marketing' =>
  textIn(config, 'type') === 'transactional' ? 'transactional' : 'marketing';

const valuesIn = ({ variables = {} }: Config) => variables as Record<string, unknown>;

/** Shows the content of the default: blocks or HTML. */
function Content({ config, change }: FormProps): ReactNode {
  const brand = useBrand();
  return (
    brand && (
      <ContentField
        content={contentIn(config)}
        change={(content) => change(withContent(config, content))}
        type={typeOf(config)}
        brand={brand}
      />
    )
  );
}

interface FieldsProps extends FormProps {
  readonly language: string | null;
  readonly show: (language: string | null) => void;
}

function Fields({ config, change, language, show }: FieldsProps): ReactNode {
  const put = (member: string) => (value: string) => change(withMember(config, member, value));
  const putOrNone = (member: string) => (value: string) => change(withMember(config, member, orNone(value)));
  return (
    <fieldset>
      <legend className="unseen">The message</legend>
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
      {typeOf(config) === 'marketing' && <TopicField value={textIn(config, 'topicId')} change={putOrNone('topicId')} />}
      <LanguageTabs
        texts={textsOf(config)}
        variants={variantsIn(config)}
        change={(variants) => change(withMember(config, 'variants', variantsBody(variants, MEMBERS) ?? undefined))}
        members={MEMBERS}
        type={typeOf(config)}
        language={language}
        show={show}
      >
        <LineField label="Subject" required value={textIn(config, 'subject')} change={put('subject')} />
        <LineField label="Preview text" value={textIn(config, 'previewText')} change={putOrNone('previewText')} />
        <TextField label="From name" value={textIn(config, 'fromName')} change={putOrNone('fromName')} />
        <Content config={config} change={change} />
      </LanguageTabs>
    </fieldset>
  );
}

/** Returns the request for a test of a message, which may not be saved yet. */
const testOf = (config: Config) => ({
  subject: textIn(config, 'subject'),
  body: textIn(config, 'body'),
  fromEmail: textIn(config, 'fromEmail'),
  type: typeOf(config),
  previewText: textIn(config, 'previewText'),
  fromName: orNone(textIn(config, 'fromName')) ?? null,
  replyTo: orNone(textIn(config, 'replyTo')) ?? null,
  variants: variantsBody(variantsIn(config), MEMBERS),
  variables: valuesIn(config),
});

interface EditorProps extends FormProps {
  readonly faults: readonly Fault[];
  readonly done: () => void;
}

/** Shows the editor of a message over the whole page: its text, and what its reader sees. */
export function MessageEditor({ config, change, faults, done }: EditorProps): ReactNode {
  const [language, show] = useState<string | null>(null);
  const variants = variantsIn(config);
  return (
    <FullWindow title="Write the message">
      <div className="window-bar">
        <TestSend title="Send a test" variants={variants} send={(test) => api.testSendContent({ ...testOf(config), ...test })} />
        <button type="button" className="primary" onClick={done}>
          Done
        </button>
      </div>
      <div className="window-page">
        <div className="columns even">
          <section className="card" aria-label="Message">
            <div role="status">
              {faults.map(({ path, message }) => (
                <p key={path + message} className="fault">
                  {message}
                </p>
              ))}
            </div>
            <Fields config={config} change={change} language={language} show={show} />
          </section>
          <Preview content={{ ...previewedIn(textsOf(config), variants, language), type: typeOf(config) }} known={valuesIn(config)} />
        </div>
      </div>
    </FullWindow>
  );
}
