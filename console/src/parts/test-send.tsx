import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { TextField } from './fields.tsx';
import { FormDialog } from './form.tsx';
import { TestLanguage } from './languages/test-language.tsx';

interface TestProps {
  readonly title: string;
  /** The languages of the content; nothing for one. */
  readonly variants: object | undefined;
  /** Sends the test. Resolves to its message. */
  readonly send: (test: { readonly to: string; readonly language?: string }) => Promise<{ readonly id: string }>;
  /** Further fields. */
  readonly children?: ReactNode;
}

/** Sends a content to an address, in a language, and links to the message. */
export function TestSend({ title, variants, send, children }: TestProps): ReactNode {
  const [to, setTo] = useState('');
  const [language, setLanguage] = useState('');
  const [sent, setSent] = useState<string | null>(null);
  return (
    <>
      <FormDialog
        label="Send test"
        title={title}
        save="Send test"
        begin={() => setSent(null)}
        send={async () => setSent((await send({ to: to.trim(), ...(language !== '' && { language }) })).id)}
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
        {children}
      </FormDialog>
      <span aria-live="polite">{sent !== null && <Link to={`/mail/${sent}`}>Test accepted: view message</Link>}</span>
    </>
  );
}
