import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { verifyWebhook } from '../../parts/api.ts';
import { AreaField, TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';

const HEADER = 'X-Service-Signature';

/** Says whether a call that a server has got is signed with a secret. All of it happens in this browser. */
export function SignatureCheck(): ReactNode {
  const [signature, setSignature] = useState('');
  const [body, setBody] = useState('');
  const [secret, setSecret] = useState('');
  const checking = useMutation({
    // Accepts old calls too: a person checks what a server has stored.
    mutationFn: () =>
      verifyWebhook({ body, headers: { [HEADER]: signature.trim() }, secret: secret.trim(), toleranceSeconds: Number.POSITIVE_INFINITY }),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    checking.mutate();
  };
  return (
    <details className="card">
      <summary>Check a signature</summary>
      <form onSubmit={submit}>
        <TextField label={HEADER} required value={signature} change={setSignature} placeholder="t=…,v1=…" />
        <AreaField label="Raw body" code rows={4} required value={body} change={setBody} />
        <TextField
          label="Secret"
          type="password"
          autoComplete="off"
          required
          value={secret}
          change={setSecret}
          hint="The secret stays in this page. It is not sent anywhere."
        />
        <Faults error={checking.error} />
        <div aria-live="polite">{checking.isSuccess && <p className="notice good">The signature is valid for this secret.</p>}</div>
        <button type="submit" className="primary" disabled={checking.isPending}>
          Check signature
        </button>
      </form>
    </details>
  );
}
