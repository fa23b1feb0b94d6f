import { DomainModel } from './model';
import type { Domain } from './model';

export type Owner = Pick<Domain, 'projectId' | 'domain' | 'selector'>;

/** Resolves to those of some names that are verified domains, with the project of each. */
export async function ownersOf(names: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
  const rows = await DomainModel.find(
    { domain: { $in: [...names] }, status: 'verified' },
    { _id: 0, projectId: 1, domain: 1, selector: 1 },
  ).lean<Owner[]>();
  return new Map(rows.map((row) => [row.domain, row]));
}
