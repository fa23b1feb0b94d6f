import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { signIn } from '../parts/api.ts';
import { Mark } from '../shell/mark.tsx';

/** Takes the token of a link out of the address, so that neither history nor a reload has it. */
function takeLink(): string | null {
  const [, link] = /^#link=([0-9a-z]+)$/.exec(location.hash) ?? [];
  if (link === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return link;
}

let opened: string | null = takeLink();

/** The way in: by the link that this page was opened with, or by a key. */
export function SignIn({ done }: { readonly done: () => void }): ReactNode {
  const [key, setKey] = useState('');
  const { mutate, error, isPending } = useMutation({ mutationFn: signIn, onSuccess: done });
  useEffect(() => {
    if (opened === null) return;
    const link = opened;
    opened = null;
    mutate({ link });
  }, [mutate]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate({ key });
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit} className="card">
        <Mark />
        <h1>Sign in to Lettermill</h1>
        <div className="field">
          <label htmlFor="key">Secret or test key</label>
          <input
            id="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
            aria-describedby="key-hint"
          />
          <p id="key-hint" className="hint">
            Starts with <code>sk_</code>. It is not stored in this browser. You can do what the key allows.
          </p>
        </div>
        <div aria-live="polite">{error && <p className="fault">{error.message}</p>}</div>
        <button type="submit" className="primary" disabled={isPending}>
          {isPending ? 'Signing in …' : 'Sign in'}
        </button>
        <p className="hint">
          No key? Ask an operator for a sign-in link: <code>npm run admin -- console-link &lt;projectId&gt;</code>
        </p>
      </form>
    </main>
  );
}
