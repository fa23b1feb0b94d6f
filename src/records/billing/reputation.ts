import { getProject, pagesOfTroubledProjects, setReputation } from '../projects';
import { WINDOW_MS, judgeReputation, reputationFloor, reputationReason } from '../../rules/reputation';
import type { Reputation, ReputationWindow, WindowCounts } from '../../rules/reputation';
import { DeliveryCountModel } from './model';

const COUNTED = ['sent', 'bounced', 'complained'] as const;
const WINDOWS = Object.keys(WINDOW_MS) as ReputationWindow[];

/**
 * Computes a project's reputation from its hourly counts and stores the state when it changed. After a reset by the operator, counting begins
 * with the next full hour: the hour of the reset holds what is to be forgotten. Throws `not_found`.
 */
export async function refreshReputation(projectId: string, now: Date): Promise<Reputation> {
  for (;;) {
    const { reputation: stored, createdAt } = await getProject(projectId);
    const reputation = judgeReputation(await sumWindows(projectId, stored.resetAt ?? new Date(0), now), reputationFloor(createdAt, now));
    const found = { state: reputation.state, reason: reputationReason(reputation) };
    const isStored = found.state === stored.state && found.reason === stored.reason;
    if (isStored || (await setReputation(projectId, found, stored))) return reputation;
  }
}

/** Computes again what time alone may have mended. Resolves to how many projects that were. */
export async function refreshTroubledReputations(now: Date): Promise<number> {
  let refreshed = 0;
  for await (const page of pagesOfTroubledProjects()) {
    for (const { _id } of page) await refreshReputation(_id, now);
    refreshed += page.length;
  }
  return refreshed;
}

async function sumWindows(projectId: string, since: Date, now: Date): Promise<Record<ReputationWindow, WindowCounts>> {
  const sums = WINDOWS.flatMap((window) => COUNTED.map((name) => [`${window}/${name}`, sumOf(name, WINDOW_MS[window], now)] as const));
  const [row] = await DeliveryCountModel.aggregate<Record<string, number>>([
    { $match: { projectId, hour: { $gte: since } } },
    { $group: { _id: null, ...Object.fromEntries(sums) } },
  ]);
  const countsOf = (window: ReputationWindow): WindowCounts => {
    const [sent = 0, bounced = 0, complained = 0] = COUNTED.map((name) => row?.[`${window}/${name}`]);
    return { sent, bounced, complained };
  };
  return { '24h': countsOf('24h'), '7d': countsOf('7d'), all: countsOf('all') };
}

const sumOf = (name: string, backMs: number | null, now: Date): Record<string, unknown> => ({
  $sum: backMs === null ? `$${name}` : { $cond: [{ $gte: ['$hour', new Date(now.getTime() - backMs)] }, `$${name}`, 0] },
});
