import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Monitor, Moon, Smartphone, Text } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { CheckField } from '../fields.tsx';
import { Faults } from '../form.tsx';
import { MessageFrame } from '../message-frame.tsx';
import { ContactField } from '../preview.tsx';
import { useSettled } from '../settled.ts';

const VIEWS = [
  ['desktop', 'Desktop', Monitor],
  ['phone', 'Phone', Smartphone],
  ['dark', 'Dark', Moon],
  ['text', 'Text only', Text],
] as const satisfies readonly (readonly [string, string, LucideIcon])[];
type View = (typeof VIEWS)[number][0];

/** Returns the mail as a reader with a dark screen sees it. */
const inTheDark = (html: string): string => html.replaceAll('@media (prefers-color-scheme:dark)', '@media all');

interface PreviewProps {
  readonly html: string;
  readonly type: 'transactional' | 'marketing';
}

/** Shows the mail as a reader sees it: on a desk, on a phone, on a dark screen, as text. */
export function StudioPreview({ html, type }: PreviewProps): ReactNode {
  const [view, setView] = useState<View>('desktop');
  const [contact, setContact] = useState('');
  const [pictures, setPictures] = useState(true);
  const asked = useSettled(JSON.stringify({ html, contact: contact.trim() }));
  const query = useQuery({
    queryKey: ['preview', 'design', asked, type],
    queryFn: () => {
      const { html: body, contact: reader } = JSON.parse(asked) as { readonly html: string; readonly contact: string };
      return api.previewTemplate({ subject: '', body, type, ...(reader !== '' && { contact: reader }) });
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  const shown = query.data;
  return (
    <div className="studio-preview">
      <div className="studio-preview-bar">
        <div className="segmented" role="group" aria-label="View">
          {VIEWS.map(([name, label, Icon]) => (
            <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
              <Icon aria-hidden="true" />
              {label}
            </button>
          ))}
        </div>
        <ContactField value={contact} change={setContact} />
        <CheckField label="Load pictures" checked={pictures} change={setPictures} />
      </div>
      <Faults error={query.error} />
      {shown && view === 'text' && <pre className="studio-text">{shown.text}</pre>}
      {shown && view !== 'text' && (
        <div className={`device device-${view}`}>
          <MessageFrame title="Preview of the mail" html={view === 'dark' ? inTheDark(shown.html) : shown.html} pictures={pictures} />
        </div>
      )}
    </div>
  );
}
