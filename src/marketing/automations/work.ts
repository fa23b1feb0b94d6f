import type { ClientSession } from 'mongoose';
import type { Input } from '../../rules/automation/machine';

type ForAll<T> = (session: ClientSession, items: readonly T[]) => Promise<readonly Input[]>;

/** Work that steps of one transaction have done with one set of commands: `forAll` gets what each of them needs, and resolves to their results in order. */
export interface JointWork {
  readonly forAll: ForAll<never>;
  readonly item: unknown;
}

/** The work of a node, in the transaction that records its step. */
export type Work = ((session: ClientSession) => Promise<Input>) | JointWork;

/** Returns joint work: a step's share of `forAll`. */
export const jointly =
  <T>(forAll: ForAll<T>) =>
  (item: T): JointWork => ({ forAll, item });

/** Does the work of steps that share a transaction. Resolves to the results. */
export async function doAll(session: ClientSession, works: readonly Work[]): Promise<ReadonlyMap<Work, Input>> {
  const results = new Map<Work, Input>();
  const joint = new Map<ForAll<never>, JointWork[]>();
  for (const work of works) {
    if (typeof work === 'function') results.set(work, await work(session));
    else joint.set(work.forAll, [...(joint.get(work.forAll) ?? []), work]);
  }
  for (const [forAll, shares] of joint) {
    const items = shares.map(({ item }) => item as never);
    const inputs = await forAll(session, items);
    shares.forEach((share, index) => results.set(share, inputs[index] as Input));
  }
  return results;
}
