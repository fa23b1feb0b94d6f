import type { ClientSession } from 'mongoose';
import { SegmentGuardModel } from './member-model';

/**
 * Begins to judge contacts in a transaction. Of two transactions that judge a contact, or judge and delete it, at the same time, one is repeated: a
 * judgement that saw less than another one never comes after it.
 *
 * | at the same time                                     | without the guard                                | with it                          |
 * |------------------------------------------------------|--------------------------------------------------|----------------------------------|
 * | the sweep lets a contact enter, who has just changed | it enters after the change was judged, and stays | the sweep judges it again        |
 * | two runs of a pump judge a contact                   | both emit `segment.entered`                      | the second finds it in           |
 * | a contact is judged and deleted                      | a member without a contact                       | the second finds the other's end |
 */
export async function beginJudging(session: ClientSession, projectId: string, contactIds: readonly string[]): Promise<void> {
  if (contactIds.length === 0) return;
  const writes = contactIds.map((_id) => ({
    updateOne: { filter: { _id: _id, projectId }, update: { $inc: { judged: 1 } }, upsert: true },
  }));
  await SegmentGuardModel.collection.bulkWrite(writes, { session, ordered: false });
}

/** Forgets contacts that are deleted. */
export async function forgetGuards(projectId: string, contactIds: readonly string[]): Promise<void> {
  await SegmentGuardModel.collection.deleteMany({ _id: { $in: [...contactIds] }, projectId });
}
