import { useId, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { InsertField, useInsertion } from '../blocks/insert-field.tsx';
import { PictureChooser } from '../files/picture-chooser.tsx';
import type { ChosenPicture } from '../files/picture-chooser.tsx';
import { linesOf } from './tokens.ts';
import './code.css';

/** A longer text is shown without colors, so that typing stays quick. */
const MOST_COLOURED = 100_000;

interface CodeProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** Shows the text again, in colors and with line numbers. */
function Coloured({ html }: { readonly html: string }): ReactNode {
  const lines = useMemo(() => linesOf(html), [html]);
  return (
    <pre aria-hidden="true">
      {lines.map((tokens, line) => (
        // Pieces have no name of their own: they differ by their position.
        <span key={line} className="code-line">
          {tokens.map(({ kind, text }, at) => (
            <span key={at} className={`code-${kind}`}>
              {text}
            </span>
          ))}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

const MOST_WIDTH = 600;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('{{', '&#123;{');

const htmlOf = ({ src, alt, width }: ChosenPicture): string =>
  `<img src="${escaped(src)}" alt="${escaped(alt)}" width="${Math.min(width, MOST_WIDTH)}" style="max-width:100%;height:auto">`;

/** Edits HTML. The user types into a plain text area; behind it, the same text is shown in colors. */
export function CodeField({ label, value, change }: CodeProps): ReactNode {
  const id = useId();
  const [area, insert] = useInsertion<HTMLTextAreaElement>(value, change);
  const [isChoosing, setChoosing] = useState(false);
  const isColoured = value.length <= MOST_COLOURED;
  return (
    <div className="field">
      <div className="code-head">
        <label htmlFor={id}>{label}</label>
        <div className="actions">
          <InsertField insert={insert} />
          <button type="button" onClick={() => setChoosing(true)}>
            Insert picture
          </button>
        </div>
      </div>
      <PictureChooser isOpen={isChoosing} close={() => setChoosing(false)} choose={(picture) => insert(htmlOf(picture))} />
      <div className={isColoured ? 'code-editor coloured' : 'code-editor'}>
        {isColoured && <Coloured html={value} />}
        <textarea ref={area} id={id} required spellCheck={false} value={value} onChange={(event) => change(event.target.value)} />
      </div>
    </div>
  );
}
