import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { TextField } from '../fields.tsx';
import { OFFERED, canonicalTag, languageName } from './names.ts';

interface AddProps {
  readonly known: readonly string[];
  readonly add: (language: string) => void;
}

/** Asks for a language that is not there yet. */
export function AddLanguage({ known, add }: AddProps): ReactNode {
  const [text, setText] = useState('');
  const language = canonicalTag(text);
  const isNew = language !== null && !known.includes(language);
  const act = (): void => {
    if (!isNew) return;
    add(language);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    act();
  };
  return (
    <>
      <TextField
        label="Add a language"
        hint="A language tag, such as de or pt-BR"
        list="offered-languages"
        autoComplete="off"
        value={text}
        change={setText}
        onKeyDown={onKeyDown}
      />
      <datalist id="offered-languages">
        {OFFERED.filter((tag) => !known.includes(tag)).map((tag) => (
          <option key={tag} value={tag}>
            {languageName(tag)}
          </option>
        ))}
      </datalist>
      <p>
        <button type="button" disabled={!isNew} onClick={act}>
          Add language
        </button>
      </p>
    </>
  );
}
