import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { askForLink, signIn, fetchWays } from '../parts/api.ts';
import type { Proof } from '../parts/api.ts';
import { Mark } from '../shell/mark.tsx';
import { PasskeySignIn } from './passkey.tsx';

/** The reasons why a sign-in with the provider failed, as the API names them. */
const REFUSALS: Readonly<Record<string, string>> = {
  unavailable: 'The sign-in service does not answer. Try again later, or sign in another way.',
  stale: 'This sign-in was already used, took too long, or began in another browser. Try again.',
  declined: 'The sign-in service did not sign you in.',
  invalid: 'The answer of the sign-in service could not be verified. Try again, or ask an operator.',
  unverified: 'The sign-in service does not confirm your e-mail address. Confirm it there, or ask an owner for an invitation.',
  taken:
    'Your e-mail address belongs to a person who signs in with another account. Sign in by a link, and disconnect that account under Account.',
  'no-access': 'You are in no project, or your role was taken away. Ask an owner of the project.',
};

/** Takes the reason out of the address, so that a reload does not show it again. */
function takeRefusal(): string | null {
  const [, refusal] = /^#refused=([a-z-]+)$/.exec(location.hash) ?? [];
  if (refusal === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return REFUSALS[refusal] ?? 'You could not be signed in. Try again.';
}

const refusal = takeRefusal();

/** Offers the way in by the OpenID provider, if there is one. */
function BySso(): ReactNode {
  const { data } = useQuery({ queryKey: ['ways'], queryFn: fetchWays, staleTime: Number.POSITIVE_INFINITY });
  return (
    <>
      {refusal !== null && (
        <p className="fault" role="alert">
          {refusal}
        </p>
      )}
      {data?.sso && (
        <a className="button primary" href="/console/oidc">
          Sign in with {data.sso.label}
        </a>
      )}
    </>
  );
}

/** Takes the token of a link out of the address, so that neither history nor a reload has it. */
function takeLink(): Proof | null {
  const [, kind, token] = /^#(link|invitation)=([0-9a-z]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return kind === 'link' ? { link: token } : { invitation: token };
}

let opened: Proof | null = takeLink();

/** Asks for a link by e-mail. */
function ByMail(): ReactNode {
  const [address, setAddress] = useState('');
  const asking = useMutation({ mutationFn: askForLink });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    asking.mutate(address);
  };
  return (
    <form onSubmit={submit}>
      <div className="field">
        <label htmlFor="address">Email address</label>
        <input
          id="address"
          type="email"
          autoComplete="email"
          required
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          aria-describedby="address-hint"
        />
        <p id="address-hint" className="hint">
          For members of a project. You get a link that works once, within 30 minutes.
        </p>
      </div>
      <div aria-live="polite">
        {asking.error && <p className="fault">{asking.error.message}</p>}
        {asking.isSuccess && <p>If a member has this address, the link is on its way.</p>}
      </div>
      <button type="submit" className="primary" disabled={asking.isPending}>
        {asking.isPending ? 'Sending …' : 'Email me a link'}
      </button>
    </form>
  );
}

/** Shows the way in: by the link that this page was opened with, by a link that is mailed, or by a key. */
export function SignIn({ done }: { readonly done: () => void }): ReactNode {
  const [key, setKey] = useState('');
  const { mutate, error, isPending } = useMutation({ mutationFn: signIn, onSuccess: done });
  useEffect(() => {
    if (opened === null) return;
    const proof = opened;
    opened = null;
    mutate(proof);
  }, [mutate]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate({ key });
  };
  return (
    <main className="sign-in">
      <div className="card">
        <Mark />
        <h1>Sign in to Lettermill</h1>
        <div aria-live="polite">{error && <p className="fault">{error.message}</p>}</div>
        <BySso />
        <ByMail />
        <PasskeySignIn label="Sign in with a passkey" done={done} />
        <form onSubmit={submit}>
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
          <button type="submit" disabled={isPending}>
            {isPending ? 'Signing in …' : 'Sign in with key'}
          </button>
        </form>
        <p className="hint">
          Neither? Ask an operator for a sign-in link: <code>npm run admin -- console-link &lt;projectId&gt;</code>
        </p>
      </div>
    </main>
  );
}
