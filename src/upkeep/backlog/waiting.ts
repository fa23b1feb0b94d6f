import { BacklogModel } from './lease-model';
import type { Waiting } from './lease-model';

/** No question may keep the database busy for longer. */
const MOST_MS = 2_000;

/** Older figures say nothing about now. */
const FRESH_MS = 60_000;

/**
 * Resolves to for how many milliseconds the oldest of each kind had waited when it was read last, 0 where nothing waits; null while no
 * process reads it.
 */
export async function waitingFor(): Promise<Readonly<Record<keyof Waiting, number>> | null> {
  const isFresh = { $expr: { $gt: ['$readAt', { $subtract: ['$$NOW', FRESH_MS] }] } };
  const row = await BacklogModel.findOne(isFresh).maxTimeMS(MOST_MS).lean<{ waiting?: Waiting; readAt?: Date } | null>();
  if (!row?.waiting || !row.readAt) return null;
  const { waiting, readAt } = row;
  const ageOf = (since: Date | null): number => (since ? Math.max(0, readAt.getTime() - since.getTime()) : 0);
  return { mail: ageOf(waiting.mail), events: ageOf(waiting.events), outbox: ageOf(waiting.outbox), webhooks: ageOf(waiting.webhooks) };
}
