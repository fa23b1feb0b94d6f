import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { fetchWays } from '../parts/api.ts';

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
export function BySso(): ReactNode {
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
