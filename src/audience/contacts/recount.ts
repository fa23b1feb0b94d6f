import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../platform/mongo';
import { FieldRecountModel } from './field-model';
import type { FieldDelta, FieldType } from './field-model';
import { ISO_DATE, atOneInstant, countFields, readCounts, summed } from './fields';
import { ContactModel } from './model';

const SNAPSHOT = { readConcern: { level: 'snapshot' } } as const;
const ALONG_LIST = { projectId: 1, createdAt: -1, _id: -1 } as const;

/**
 * Counts a project's custom fields again and adds what the stored counts lack. Contacts and stored counts are read as of one instant, and the
 * difference is added, not set, so that what changes meanwhile is neither lost nor counted twice. Resolves to how many counts were wrong; of two
 * recounts at once the later one changes nothing.
 */
export async function recountFields(projectId: string): Promise<number> {
  const last = await FieldRecountModel.findById(projectId).lean();
  const missing = await differences(projectId);
  const counted = await inTransaction(async (session) => {
    if (!(await claim(session, projectId, last?.at ?? null))) return false;
    await countFields(session, projectId, missing);
    return true;
  });
  return counted ? missing.length : 0;
}

async function claim(session: ClientSession, projectId: string, last: Date | null): Promise<boolean> {
  const at = new Date(Math.max(Date.now(), (last?.getTime() ?? 0) + 1));
  if (last) {
    const { matchedCount } = await FieldRecountModel.updateOne({ _id: projectId, at: last }, { $set: { at } }, { session });
    return matchedCount === 1;
  }
  if (await FieldRecountModel.exists({ _id: projectId }).session(session)) return false;
  await FieldRecountModel.create([{ _id: projectId, at }], { session });
  return true;
}

/** Resolves to what is to be added to the stored counts, by field and type. */
const differences = (projectId: string): Promise<readonly FieldDelta[]> =>
  atOneInstant(async (session) => {
    const counted = await countContacts(session, projectId);
    const stored = await readCounts(session, projectId);
    return summed([...counted, ...stored.map((delta) => ({ ...delta, by: -delta.by }))]);
  });

async function countContacts(session: ClientSession, projectId: string): Promise<readonly FieldDelta[]> {
  const rows = await ContactModel.collection
    .aggregate<{ readonly _id: { readonly field: string; readonly type: FieldType | null }; readonly by: number }>(
      [
        { $match: { projectId, data: { $type: 'object' } } },
        { $project: { pair: { $objectToArray: '$data' } } },
        { $unwind: '$pair' },
        { $group: { _id: { field: '$pair.k', type: TYPE }, by: { $sum: 1 } } },
      ],
      { session, ...SNAPSHOT, hint: ALONG_LIST, allowDiskUse: true },
    )
    .toArray();
  return rows.flatMap(({ _id: { field, type }, by }) => (type ? [{ field, type, by }] : []));
}

/** `fieldTypeOf`, said to the database. */
const TYPE = {
  $switch: {
    branches: [
      {
        case: { $eq: [{ $type: '$pair.v' }, 'string'] },
        then: { $cond: [{ $regexMatch: { input: '$pair.v', regex: ISO_DATE } }, 'date', 'string'] },
      },
      { case: { $isNumber: '$pair.v' }, then: 'number' },
      { case: { $eq: [{ $type: '$pair.v' }, 'bool'] }, then: 'boolean' },
      { case: { $isArray: '$pair.v' }, then: 'array' },
      { case: { $eq: [{ $type: '$pair.v' }, 'object'] }, then: 'object' },
    ],
    default: null,
  },
};
