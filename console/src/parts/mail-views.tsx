import { Monitor, Moon, Smartphone, Text } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Schemas } from './api.ts';
import { CheckField } from './fields.tsx';
import { MessageFrame } from './message-frame.tsx';
import './mail-views.css';
import './segmented.css';

const VIEWS = [
  ['desktop', 'Desktop', Monitor],
  ['phone', 'Phone', Smartphone],
  ['dark', 'Dark', Moon],
  ['text', 'Text only', Text],
] as const satisfies readonly (readonly [string, string, LucideIcon])[];
type View = (typeof VIEWS)[number][0];

/** Returns the mail as a reader with a dark screen sees it. */
const inTheDark = (html: string): string => html.replaceAll(/@media\s*\(\s*prefers-color-scheme\s*:\s*dark\s*\)/g, '@media all');

interface ViewsProps {
  readonly title: string;
  /** The rendered mail; undefined until it is. */
  readonly shown: Pick<Schemas['TemplatePreview'], 'html' | 'text'> | undefined;
  /** A field next to the choice of the view. */
  readonly children?: ReactNode;
}

/** Shows a mail as a reader sees it: on a desk, on a phone, on a dark screen, as text. */
export function MailViews({ title, shown, children }: ViewsProps): ReactNode {
  const [view, setView] = useState<View>('desktop');
  const [pictures, setPictures] = useState(true);
  return (
    <>
      <div className="mail-views-bar">
        <div className="segmented" role="group" aria-label="View">
          {VIEWS.map(([name, label, Icon]) => (
            <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
              <Icon aria-hidden="true" />
              {label}
            </button>
          ))}
        </div>
        {children}
        <CheckField label="Load pictures" checked={pictures} change={setPictures} />
      </div>
      {shown && view === 'text' && <pre className="mail-text">{shown.text}</pre>}
      {shown && view !== 'text' && (
        <div className={`device device-${view}`}>
          <MessageFrame title={title} html={view === 'dark' ? inTheDark(shown.html) : shown.html} pictures={pictures} />
        </div>
      )}
    </>
  );
}
