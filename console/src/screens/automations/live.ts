import type { Schemas } from '../../parts/api.ts';

const LIVE_MS = 3_000;

/** Returns the refresh interval of an active automation, in milliseconds; others do not change on their own. */
export const live = (status: Schemas['Workflow']['status'] | undefined): number | false => status === 'active' && LIVE_MS;
