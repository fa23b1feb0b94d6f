import { findShowing } from '../../sending/files';
import type { FileSearch, FileUse } from '../../sending/files';
import { AutomationModel, PinnedGraphModel } from './model';

/** Lists automations whose draft or published graph shows a picture, newest first. */
export async function automationsShowing(search: FileSearch): Promise<FileUse[]> {
  const { projectId, fileId, mostMs } = search;
  const graph = { $regex: fileId };
  const graphIds = await PinnedGraphModel.distinct('_id', { projectId, graph }).maxTimeMS(mostMs);
  return findShowing(AutomationModel.collection, 'workflow', search, { projectId, $or: [{ graph }, { graphId: { $in: graphIds } }] });
}
