import { useId, useMemo } from 'react';
import type { ReactNode } from 'react';
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

/** Edits HTML. The user types into a plain text area; behind it, the same text is shown in colors. */
export function CodeField({ label, value, change }: CodeProps): ReactNode {
  const id = useId();
  const isColoured = value.length <= MOST_COLOURED;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={isColoured ? 'code-editor coloured' : 'code-editor'}>
        {isColoured && <Coloured html={value} />}
        <textarea id={id} required spellCheck={false} value={value} onChange={(event) => change(event.target.value)} />
      </div>
    </div>
  );
}
