import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface PageProps {
  readonly title: string;
  /** The parent page. */
  readonly under?: { readonly label: string; readonly to: string };
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a screen: its title, what can be done on it, and what it shows. */
export function Page({ title, under, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} – Lettermill`;
  }, [title]);
  return (
    <div className="page">
      {under && (
        <Link className="back" to={under.to}>
          ‹ {under.label}
        </Link>
      )}
      <div className="page-head">
        <h1>{title}</h1>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a piece of a screen with a heading of its own. */
export const Card = ({ title, actions, children }: CardProps): ReactNode => (
  <section className="card">
    <div className="card-head">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);

/** Names and values; what has no value is left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }): ReactNode => (
  <dl className="facts">
    {facts.map(([name, value]) =>
      value === null || value === undefined || value === false || value === '' ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);
