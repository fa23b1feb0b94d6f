import type { ReactNode } from 'react';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Shows the data of an event in words. */
export function Detail({ data }: { readonly data: Readonly<Record<string, unknown>> | null }): ReactNode {
  const known = Object.entries(data ?? {});
  if (known.length === 0) return null;
  return (
    <dl className="detail">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{textOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
