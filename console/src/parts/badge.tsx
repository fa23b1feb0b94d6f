import type { ReactNode } from 'react';

type Tone = 'good' | 'bad' | 'warn' | 'plain';

const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  opened: 'good',
  clicked: 'good',
  verified: 'good',
  succeeded: 'good',
  active: 'good',
  completed: 'good',
  ok: 'good',
  bounced: 'bad',
  complained: 'bad',
  failed: 'bad',
  paused: 'bad',
  cancelled: 'warn',
  throttled: 'warn',
  warn: 'warn',
  pending: 'warn',
};

interface BadgeProps {
  readonly of: string;
  readonly tone?: Tone;
}

/** Shows a state as a word, in a color that says how good it is; the word says it too. */
export const Badge = ({ of, tone = TONES[of] ?? 'plain' }: BadgeProps): ReactNode => (
  <span className={`badge ${tone}`}>{of.replaceAll('_', ' ')}</span>
);
