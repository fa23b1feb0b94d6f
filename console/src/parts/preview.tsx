import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from './api.ts';
import type { Schemas } from './api.ts';
import { TextField } from './fields.tsx';
import { Faults } from './form.tsx';
import { MailViews } from './mail-views.tsx';
import { Card } from './page.tsx';
import { useSettled } from './settled.ts';
import { ValuesField } from './values/values-field.tsx';
import type { Values } from './values/values-field.tsx';
import './preview.css';

type Previewed = Schemas['TemplatePreview'];

/** The content to preview. */
type Content = Required<Pick<Schemas['PreviewTemplateRequest'], 'subject' | 'body' | 'type'>> &
  Pick<Schemas['PreviewTemplateRequest'], 'language'> & {
    /** Text next to the subject in an inbox. */
    readonly previewText?: string | null;
  };

interface Asked extends Content {
  readonly contact: string;
  readonly values: Values | undefined;
  readonly known: Values;
}

/** Resolves to the content as the contact gets it. The preview text is rendered as a subject: it is a line with placeholders, too. */
async function previewOf({
  contact,
  values,
  known,
  previewText,
  ...content
}: Asked): Promise<Previewed & { readonly previewText: string }> {
  const request = { ...content, ...(contact !== '' && { contact }), variables: { ...known, ...values } };
  const [shown, line] = await Promise.all([
    api.previewTemplate(request),
    previewText ? api.previewTemplate({ ...request, type: 'transactional', subject: previewText, body: '' }) : null,
  ]);
  const placeholders = new Map([...shown.placeholders, ...(line?.placeholders ?? [])].map((each) => [each.name, each]));
  const warnings = [...new Set([...shown.warnings, ...(line?.warnings ?? [])])];
  return { ...shown, previewText: line?.subject ?? '', placeholders: [...placeholders.values()], warnings };
}

type Line = Pick<Content, 'subject' | 'previewText'>;

/** Shows the subject, and behind it the preview text, as an inbox does. */
export const InboxLine = ({ subject, previewText }: Line): ReactNode => (
  <p className="preview-subject">
    <span className="hint">Subject</span> {subject}
    {previewText && <span className="hint"> – {previewText}</span>}
  </p>
);

const Placeholders = ({ placeholders }: Pick<Previewed, 'placeholders'>): ReactNode =>
  placeholders.length === 0 ? (
    <p className="hint">This content has no placeholders.</p>
  ) : (
    <ul className="places-for-values" aria-label="Placeholders">
      {placeholders.map(({ name, found }) => (
        <li key={name} className={found ? 'badge good' : 'badge warn'}>
          {found ? name : `${name}: no value`}
        </li>
      ))}
    </ul>
  );

const MOST_OFFERED = 10;

/** Shows an address, with those offered that hold what was written so far. */
export function ContactField({ value, change }: { readonly value: string; readonly change: (value: string) => void }): ReactNode {
  const search = useSettled(value.trim());
  const found = useQuery({
    queryKey: ['contacts', 'offered', search],
    queryFn: () => api.listContacts({ ...(search !== '' && { search }), limit: MOST_OFFERED }).page(),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <TextField
        label="Preview as contact"
        type="text"
        list="preview-contacts"
        placeholder="ada@example.com"
        autoComplete="off"
        value={value}
        change={change}
      />
      <datalist id="preview-contacts">
        {(found.data?.rows ?? []).map(({ contactId, email }) => (
          <option key={contactId} value={email}>
            {email}
          </option>
        ))}
      </datalist>
    </>
  );
}

interface Props {
  readonly content: Content;
  /** Values that the content gets from elsewhere. */
  readonly known?: Values;
}

/** Shows the content as a reader sees it, a moment after it was last edited. */
export function Preview({ content, known = {} }: Props): ReactNode {
  const [contact, setContact] = useState('');
  const [values, setValues] = useState<Values>();
  const asked = useSettled(JSON.stringify({ ...content, contact: contact.trim(), values, known } satisfies Asked));
  const query = useQuery({
    queryKey: ['preview', asked],
    queryFn: () => previewOf(JSON.parse(asked) as Asked),
    retry: false,
  });
  const [last, setLast] = useState(query.data);
  if (query.data && query.data !== last) setLast(query.data);
  const expected = (last?.placeholders ?? []).map(({ name }) => name).filter((name) => !(name in known));
  return (
    <Card title="Preview">
      <div className="preview-for">
        <ContactField value={contact} change={setContact} />
        <details>
          <summary>Set values</summary>
          <ValuesField
            label="Values"
            hint="Empty: the value of the contact, or the fallback"
            one="Placeholder"
            expected={expected}
            value={values}
            change={setValues}
          />
        </details>
      </div>
      <Faults error={query.error} />
      {query.error && last && <p className="hint">The preview shows the last version without errors.</p>}
      {last && (
        <>
          {last.warnings.map((warning) => (
            <p key={warning} className="notice">
              {warning}
            </p>
          ))}
          <Placeholders placeholders={last.placeholders} />
          <InboxLine {...last} />
          <MailViews title="Message preview" shown={last} />
        </>
      )}
    </Card>
  );
}
