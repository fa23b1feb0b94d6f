import { contentShowing } from '../files';
import type { FileSearch, FileUse } from '../files';
import { TemplateModel } from './model';
import type { Template } from './model';

/** Lists templates whose current version shows a picture, newest first. */
export async function templatesShowing(search: FileSearch): Promise<FileUse[]> {
  const rows = await TemplateModel.find(contentShowing(search), { name: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .limit(search.most)
    .maxTimeMS(search.mostMs)
    .lean<Pick<Template, '_id' | 'name'>[]>();
  return rows.map(({ _id: id, name }) => ({ kind: 'template', id, name }));
}
