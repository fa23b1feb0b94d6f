import type { ReactNode } from 'react';

/** What is known of an event besides its name, in words. */
export function Detail({ data }: { readonly data: Readonly<Record<string, unknown>> | null }): ReactNode {
  const known = Object.entries(data ?? {}).filter(([, value]) => typeof value !== 'object' || value === null);
  if (known.length === 0) return null;
  return (
    <dl className="detail">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
