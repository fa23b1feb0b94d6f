import type { FileSearch, FileUse } from '../../sending/files';
import { AutomationModel, PinnedGraphModel } from './model';
import type { Automation } from './model';

/** Lists automations whose draft or published graph shows a picture, newest first. */
export async function automationsShowing({ projectId, fileId, most, mostMs }: FileSearch): Promise<FileUse[]> {
  const graph = { $regex: fileId };
  const graphIds = await PinnedGraphModel.distinct('_id', { projectId, graph }).maxTimeMS(mostMs);
  const rows = await AutomationModel.find({ projectId, $or: [{ graph }, { graphId: { $in: graphIds } }] }, { name: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .limit(most)
    .maxTimeMS(mostMs)
    .lean<Pick<Automation, '_id' | 'name'>[]>();
  return rows.map(({ _id: id, name }) => ({ kind: 'workflow', id, name }));
}
