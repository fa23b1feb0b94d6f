import { SuppressionModel } from './model';

/** The ids of all records of a project, in pages, read from the list's index alone. */
export async function* suppressionIds(projectId: string, pageSize: number): AsyncGenerator<readonly string[]> {
  const cursor = SuppressionModel.collection
    .find<{ readonly _id: string }>({ projectId }, { projection: { _id: 1 }, batchSize: pageSize })
    .sort({ createdAt: -1, _id: -1 });
  for (;;) {
    const page = cursor.readBufferedDocuments(pageSize).map(({ _id }) => _id);
    if (page.length > 0) yield page;
    else if (!(await cursor.hasNext())) return;
  }
}
