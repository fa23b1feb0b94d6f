import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { ApiError, fetchSession } from '../parts/api.ts';
import { SessionContext } from '../parts/session-context.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { App } from '../shell/app.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SignIn } from './sign-in.tsx';

const KEY = ['session'];

/** Shows the console to a person who is signed in, and the way in to anyone else. */
export function SessionGate(): ReactNode {
  const queries = useQueryClient();
  const session = useQuery({ queryKey: KEY, queryFn: fetchSession, staleTime: Number.POSITIVE_INFINITY });
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ query }) => {
        const error: unknown = query.state.error;
        // Another tab may have switched the project: then there is a session, with another proof.
        if (error instanceof ApiError && error.status === 401) void queries.invalidateQueries({ queryKey: KEY });
      }),
    [queries],
  );
  const isSignedOut = session.data === null;
  useEffect(() => {
    // A copied step may hold the tokens of a webhook.
    if (isSignedOut) sessionStorage.clear();
  }, [isSignedOut]);
  const id = session.data?.sessionId ?? null;
  const before = useRef(id);
  useEffect(() => {
    // What this page has loaded is of another project.
    if (id !== null && before.current !== null && id !== before.current) location.reload();
    before.current = id;
  }, [id]);
  if (session.isPending) return <Loading what="the console" />;
  if (session.isLoadingError) return <Failure error={session.error} again={() => void session.refetch()} />;
  const left = (): void => {
    queries.setQueryData(KEY, null);
    // What this session has seen the next one may not be allowed to.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
  };
  const again = (): void => void queries.invalidateQueries({ queryKey: KEY });
  if (session.data === null) return <SignIn done={again} />;
  if (session.data.waits !== null) return <SecondFactor waiting={session.data} done={again} />;
  return (
    <SessionContext value={session.data}>
      <App left={left} />
    </SessionContext>
  );
}
