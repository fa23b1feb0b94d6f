import { fnv1a, mixed } from '../../contracts/hash';

/**
 * Returns the branch that an execution takes at a `split`: a fixed function of the two ids, proportional to the weights, which anybody can compute
 * again: FNV-1a of `<executionId>/<nodeId>`, mixed, as a point in the running sum of the weights.
 */
export function chooseBranch(
  executionId: string,
  nodeId: string,
  branches: readonly { readonly branch: string; readonly weight: number }[],
): string {
  const total = branches.reduce((sum, { weight }) => sum + weight, 0);
  const point = (mixed(fnv1a(`${executionId}/${nodeId}`)) / 2 ** 32) * total;
  let end = 0;
  const chosen = branches.find(({ weight }) => {
    end += weight;
    return point < end;
  });
  // Rounding may leave the sum a hair below the total.
  const last = chosen ?? branches.at(-1);
  if (!last) throw new Error(`The split ${nodeId} has no branches`);
  return last.branch;
}
