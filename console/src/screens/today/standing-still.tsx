import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';

const LIVE_MS = 10_000;

/** Shows what is stalled for all projects of the installation, and why; nothing if all is well. */
export function StandingStill(): ReactNode {
  const health = useQuery({ queryKey: ['health'], queryFn: () => api.getHealth(), refetchInterval: LIVE_MS });
  const details = health.data?.details ?? [];
  if (details.length === 0) return null;
  return (
    <section className="notice bad" aria-label="Service interruption">
      <ul>
        {details.map((detail) => (
          <li key={detail}>{withCode(detail)}</li>
        ))}
      </ul>
      <p>Nothing is lost. Ask the operator of this installation to fix it.</p>
    </section>
  );
}

/** Renders text between backticks as code. */
const withCode = (text: string): readonly ReactNode[] =>
  text.split('`').map((piece, index) => (index % 2 === 1 ? <code key={piece}>{piece}</code> : piece));
