import { SuppressionModel } from './model';
import type { Suppression, SuppressionReason } from './model';

/** Yields the ids of all records of a project, of one reason or of any, in pages, read from an index of the list alone. */
export async function* suppressionIds(projectId: string, pageSize: number, reason?: SuppressionReason): AsyncGenerator<readonly string[]> {
  const cursor = SuppressionModel.collection
    .find<Pick<Suppression, '_id'>>({ projectId, ...(reason && { reason }) }, { projection: { _id: 1 }, batchSize: pageSize })
    .sort({ createdAt: -1, _id: -1 });
  let page: string[] = [];
  for await (const row of cursor) {
    page.push(row._id);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
