import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Fault } from '../../../parts/conditions/editor.tsx';
import { Pick } from '../../../parts/conditions/names.tsx';
import { LineField } from '../../../parts/blocks/insert-field.tsx';
import { ChoiceField } from '../../../parts/fields.tsx';
import { FromField, useLastSender } from '../../../parts/from-field.tsx';
import { useTemplateChoice } from '../../../parts/templates.ts';
import { newStep, textIn } from '../graph/model.ts';
import type { Config } from '../graph/model.ts';
import { withMember } from './form.ts';
import type { FormProps } from './form.ts';
import { MessageEditor } from './message-editor.tsx';
import { PlaceholderValues } from './placeholder-values.tsx';

interface MessageProps extends FormProps {
  readonly faults: readonly Fault[];
}

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

/** Shows who a message is from and what it is about, and the way to its editor. */
function Inline({ config, change, faults }: MessageProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const put = (member: string) => (value: string) => change(withMember(config, member, value));
  return (
    <>
      <FromField value={textIn(config, 'fromEmail')} change={put('fromEmail')} />
      <LineField label="Subject" required value={textIn(config, 'subject')} change={put('subject')} />
      <p>
        <button type="button" onClick={() => setOpen(true)}>
          Edit message
        </button>
      </p>
      {isOpen && <MessageEditor config={config} change={change} faults={faults} done={() => setOpen(false)} />}
    </>
  );
}

/** The content that was switched away from, by the configuration that has the other one now. Never saved; forgotten with the editor. */
const BEFORE = new WeakMap<Config, Config>();

/** Shows the form for a message: a template, or its own text. */
export function MessageForm({ config, change, faults }: MessageProps): ReactNode {
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
      {isStored ? <TemplateName config={config} change={put} /> : <Inline config={config} change={put} faults={faults} />}
      <PlaceholderValues config={config} change={put} />
    </>
  );
}
