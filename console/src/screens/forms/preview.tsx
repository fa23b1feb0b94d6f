import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Card } from '../../parts/page.tsx';
import './preview.css';

const INPUTS = { text: 'text', number: 'number', boolean: 'checkbox', date: 'date' } as const;

type Shown = Pick<Schemas['CreateFormRequest'], 'name' | 'consentText' | 'privacyUrl'> & {
  readonly fields: readonly Schemas['FormField'][];
};

/** Draws a form as its page shows it to a reader of English. It is inert and accepts no sign-ups. */
export const FormPreview = ({ form: { name, fields, consentText, privacyUrl } }: { readonly form: Shown }): ReactNode => (
  <Card title="Preview">
    <div className="form-drawing" inert>
      <h3>{name || 'Name'}</h3>
      <label>
        Email address
        <input type="email" />
      </label>
      {fields.map(({ label, type }, at) => (
        // While it is written, a question has no key of its own.
        <label key={at}>
          {label || 'Label'}
          <input type={INPUTS[type]} />
        </label>
      ))}
      <p>{consentText || 'Consent text'}</p>
      {privacyUrl && (
        <p>
          <span className="form-link">Privacy policy</span>
        </p>
      )}
      <button type="button" className="primary">
        Sign up
      </button>
    </div>
    <p className="hint">The page is in the language of the browser.</p>
  </Card>
);
