/**
 * Returns the seconds to wait after attempt number `attempt` (1-based) was deferred, or null when the schedule is used up. `schedule[0]`
 * is the wait after the first attempt.
 */
export function retryDelaySeconds(schedule: readonly number[], attempt: number): number | null {
  return schedule[attempt - 1] ?? null;
}
