import type { Schemas } from '../../parts/api.ts';

export type Reason = Schemas['Suppression']['reason'];

/** The reasons, with what they are called. */
export const REASONS: readonly (readonly [Reason, string])[] = [
  ['hard_bounce', 'Hard bounce'],
  ['complaint', 'Complaint'],
  ['unsubscribe', 'Unsubscribe'],
  ['manual', 'Manual'],
];

/** The names of the reasons in files of other services. */
const CALLED: Readonly<Record<string, Reason>> = {
  hardbounce: 'hard_bounce',
  bounce: 'hard_bounce',
  bounced: 'hard_bounce',
  complaint: 'complaint',
  complained: 'complaint',
  spam: 'complaint',
  spamcomplaint: 'complaint',
  unsubscribe: 'unsubscribe',
  unsubscribed: 'unsubscribe',
  optout: 'unsubscribe',
  manual: 'manual',
};

/** Returns the reason that a cell names; undefined if it names none. */
export const reasonIn = (cell: string): Reason | undefined => CALLED[cell.toLowerCase().replaceAll(/[^a-z]/g, '')];
