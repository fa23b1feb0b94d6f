import type { UseQueryResult } from '@tanstack/react-query';
import { use } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ApiError } from './api.ts';
import { ScreenIcon } from './screen-icon.ts';
import { SessionContext } from './session-context.ts';

/** Says that something is on its way. */
export const Loading = ({ what }: { readonly what: string }): ReactNode => (
  <div className="state" role="status">
    <span className="spinner" aria-hidden="true" />
    <p>Loading {what} …</p>
  </div>
);

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** Link to where the list is filled. */
  readonly next?: { readonly label: string; readonly to: string } | false;
}

/** Says that a list is empty, and what would fill it, under the picture of its screen. */
export function Empty({ title, children, next = false }: EmptyProps): ReactNode {
  const picture = use(ScreenIcon);
  return (
    <div className="state">
      {picture !== null && <span className="state-picture">{picture}</span>}
      <h2>{title}</h2>
      {children}
      {next && (
        <Link className="button" to={next.to}>
          {next.label}
        </Link>
      )}
    </div>
  );
}

export const NotThere = ({ what }: { readonly what: string }): ReactNode => (
  <div className="state">
    <h2>{what} not found</h2>
    <p>It may have been deleted, or the address may be wrong.</p>
    <Link className="button" to="/">
      Go to Home
    </Link>
  </div>
);

/** Says that the role of the person, or the key of the session, does not allow what is asked for. */
export function NoPermission(): ReactNode {
  const session = use(SessionContext);
  return session?.person ? (
    <div className="state">
      <h2>Your role does not allow this</h2>
      <p>Your role in this project is {session.grant}. An owner or admin can change it in Settings.</p>
    </div>
  ) : (
    <div className="state">
      <h2>Your key does not allow this</h2>
      <p>This session has the permissions of its key. Sign in with a full-access key, or ask an operator for a sign-in link.</p>
    </div>
  );
}

interface FailureProps {
  readonly error: Error;
  readonly again: () => void;
}

/** Says what went wrong, and takes another try. */
export function Failure({ error, again }: FailureProps): ReactNode {
  if (error instanceof ApiError && error.status === 403) return <NoPermission />;
  if (error instanceof ApiError && error.status === 404) return <NotThere what="Page" />;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className="state" role="alert">
      <h2>Loading failed</h2>
      <p>{error.message}</p>
      {requestId !== null && (
        <p className="hint">
          Request ID: <code>{requestId}</code>
        </p>
      )}
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}

/** Says that what is shown may be out of date, and takes another try. */
const NotRefreshed = ({ error, again }: FailureProps): ReactNode => (
  <div className="notice" role="status">
    <p>This may be out of date. Refreshing it failed: {error.message}</p>
    <button type="button" onClick={again}>
      Try again
    </button>
  </div>
);

interface AnswerProps<T> {
  readonly query: UseQueryResult<T>;
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}

/** Shows the result of a query; before that a loading state, or the reason why it failed. A result stays, with what is written in it, when a later request fails. */
export function Answer<T>({ query, what, children }: AnswerProps<T>): ReactNode {
  if (query.isPending) return <Loading what={what} />;
  if (query.isLoadingError) return <Failure error={query.error} again={() => void query.refetch()} />;
  return (
    <>
      {query.isRefetchError && <NotRefreshed error={query.error} again={() => void query.refetch()} />}
      {children(query.data)}
    </>
  );
}
