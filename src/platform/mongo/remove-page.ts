import type { Document, Filter } from 'mongodb';
import type { Model } from './model';

/**
 * Deletes what the filter finds, at most `limit` rows, each only if it still matches. Resolves to how many were found: fewer than `limit`
 * means that none are left.
 */
export async function removePage<T>(
  { collection }: Model<T>,
  filter: Filter<Document>,
  limit: number,
  hint?: Readonly<Record<string, 1 | -1>> | string,
): Promise<number> {
  const page = await collection.find(filter, { projection: { _id: 1 }, limit, ...(hint && { hint }) }).toArray();
  if (page.length > 0) await collection.deleteMany({ $and: [{ _id: { $in: page.map(({ _id }) => _id) } }, filter] });
  return page.length;
}
