import { SuppressionModel } from './model';
import type { Suppression } from './model';

/** The ids of all records of a project, of whatever reason, in pages, read from the list's index alone. */
export async function* suppressionIds(projectId: string, pageSize: number): AsyncGenerator<readonly string[]> {
  const cursor = SuppressionModel.collection
    .find<Pick<Suppression, '_id'>>({ projectId }, { projection: { _id: 1 }, batchSize: pageSize })
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
