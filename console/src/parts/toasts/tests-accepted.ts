import type { Toast } from './store.ts';

/** Returns what is said of test messages that were accepted: the way to one of them, or to the mail log. */
export const testsAccepted = (ids: readonly string[]): Toast =>
  ids.length === 1
    ? { text: 'Test accepted.', link: { label: 'View message', to: `/mail/${ids[0]}` } }
    : { text: `${ids.length} tests accepted.`, link: { label: 'View in mail log', to: '/mail' } };
