import { SuppressionModel } from './model';
import type { Suppression } from './model';

/** The ids of all records of a project, of whatever reason, in pages, read from the list's index alone. */
export const suppressionIds = (projectId: string, pageSize: number): AsyncGenerator<readonly string[]> => walk(projectId, '_id', pageSize);

/** The same for their addresses. */
export const suppressedAddresses = (projectId: string, pageSize: number): AsyncGenerator<readonly string[]> =>
  walk(projectId, 'email', pageSize);

async function* walk(projectId: string, member: '_id' | 'email', pageSize: number): AsyncGenerator<readonly string[]> {
  const projection = member === '_id' ? { _id: 1 } : { _id: 0, [member]: 1 };
  const cursor = SuppressionModel.collection
    .find<Pick<Suppression, '_id' | 'email'>>({ projectId }, { projection, batchSize: pageSize })
    .sort({ createdAt: -1, _id: -1 });
  let page: string[] = [];
  for await (const row of cursor) {
    page.push(row[member]);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
