import { useState } from 'react';
import type { ReactNode } from 'react';
import { TextField } from './fields.tsx';
import { FormDialog } from './form.tsx';
import { TestLanguage } from './languages/test-language.tsx';
import { testsAccepted } from './toasts/tests-accepted.ts';

interface TestProps {
  readonly title: string;
  /** The languages of the content; nothing for one. */
  readonly variants: object | undefined;
  /** Sends the test. Resolves to its message. */
  readonly send: (test: { readonly to: string; readonly language?: string }) => Promise<{ readonly id: string }>;
  /** Returns further fields, for the chosen language; empty for that of the contact. */
  readonly children?: (language: string) => ReactNode;
}

/** Sends a content to an address, in a language. */
export function TestSend({ title, variants, send, children }: TestProps): ReactNode {
  const [to, setTo] = useState('');
  const [language, setLanguage] = useState('');
  return (
    <FormDialog
      label="Send test"
      title={title}
      save="Send test"
      send={() => send({ to: to.trim(), ...(language !== '' && { language }) })}
      said={({ id }) => testsAccepted([id])}
    >
      <TextField
        label="To"
        type="email"
        required
        value={to}
        change={setTo}
        hint="If a contact has this address, the test uses its values."
      />
      <TestLanguage variants={variants} value={language} change={setLanguage} />
      {children?.(language)}
    </FormDialog>
  );
}
