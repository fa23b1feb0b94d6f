import mongoose from 'mongoose';
import type { ClientSession } from 'mongoose';
import { afterwards } from '../../platform/async';
import type { Context } from '../../platform/core';
import { invalid, limitOf, newId, notFound } from '../../platform/core';
import { listenTo, requireRoom, withReferenceLock } from '../../records/events';
import { databaseNow, ownRow } from '../../platform/mongo';
import { segmentRefs } from '../../rules/conditions/inventory';
import type { Tree } from '../../rules/conditions/types';
import { sameJson } from '../../rules/same-json';
import { complete, IN_FLIGHT_MS } from './fill';
import { SegmentModel } from './model';
import type { Segment } from './model';
import { conditionBytes, loadOrder } from './load-plan';
import { eventsHeard } from './plan';
import { checkConditions } from './references';
import { refuseWhileUsed } from './usage';
import { idsOf, SegmentMemberModel, CountChangeModel, SegmentRemovalModel } from './member-model';
import type { SegmentRemoval } from './member-model';

/** Time for which a deletion removes members before it leaves the rest to the sweep. */
const REMOVING_MS = 5_000;

export type Conditions = NonNullable<Segment['conditions']>;

interface NewSegment {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly type: Segment['type'];
  /** For a dynamic segment only. */
  readonly conditions?: Conditions | undefined;
}

interface SegmentPatch {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly conditions?: Conditions | undefined;
}

/** Throws `not_found`. */
export const readSegment = (projectId: string, _id: string, session?: ClientSession): Promise<Segment> =>
  ownRow(SegmentModel, 'Segment', { _id, projectId }, session);

/** Throws `not_found`. Reads nothing of the segment: its conditions may be long. */
export async function requireFound(projectId: string, id: string, session?: ClientSession): Promise<void> {
  if (!(await SegmentModel.exists({ _id: id, projectId }).session(session ?? null))) throw notFound('Segment');
}

/**
 * Creates a segment; a dynamic one has its members when this resolves, and no event is emitted for them. Throws 422 `invalid_condition`,
 * `not_found`, and `limit_exceeded`. Work that takes longer than the caller waits continues, and the sweep finishes it if this process
 * dies.
 */
export async function createSegment(ctx: Context, { name, description = null, type, conditions }: NewSegment): Promise<Segment> {
  const { projectId } = ctx;
  const [_id, now] = [newId('seg'), new Date()];
  const segment = { _id, projectId, name, description, type, createdAt: now, updatedAt: now };
  if (!conditions) {
    await withReferenceLock(projectId, async (session) => {
      await requireSegmentRoom(session, ctx);
      await SegmentModel.create([segment], { session });
    });
    return readSegment(projectId, _id);
  }
  await withReferenceLock(projectId, async (session) => {
    await requireSegmentRoom(session, ctx);
    const tree = await checkConditions(session, projectId, conditions, _id);
    await requireConditionRoom(session, ctx, _id, conditions);
    await SegmentModel.create([{ ...segment, ...(await evaluatedBy(conditions, tree)), revision: 1 }], { session });
    await announce(session, projectId, _id, tree);
  });
  return finished(projectId, _id);
}

/** Throws `limit_exceeded`. */
export const requireSegmentRoom = (session: ClientSession, { core, project, projectId }: Context): Promise<void> =>
  requireRoom(session, projectId, {
    what: 'segments',
    most: limitOf(core.config, project, 'segments'),
    of: SegmentModel,
  });

/** Throws `limit_exceeded` when a project's conditions would take too much together with the given ones of a segment. A change that makes a segment's own take less is always accepted. */
async function requireConditionRoom(
  session: ClientSession,
  { core, projectId }: Context,
  segmentId: string,
  conditions: Conditions,
  before: Segment['conditions'] = null,
): Promise<void> {
  const adding = bytesOf(conditions);
  if (before && adding <= bytesOf(before)) return;
  await requireRoom(session, projectId, {
    what: 'bytes of conditions in all of its segments',
    most: core.config.MAX_SEGMENT_CONDITION_BYTES,
    of: (own) => conditionBytes(own, projectId, segmentId),
    adding,
  });
}

/** Returns the size of conditions as the database stores them. */
const bytesOf = (conditions: Conditions): number => mongoose.mongo.BSON.calculateObjectSize(conditions, { ignoreUndefined: true });

async function evaluatedBy(conditions: Conditions, tree: Tree): Promise<Partial<Segment>> {
  const now = await databaseNow();
  return { conditions, segmentIds: segmentRefs(tree), computing: true, filledAt: now, sweepAt: now };
}

// From the commit on, events are judged by the new conditions. All that listen in a project share one document, which is what makes two
// edits meet that only together close a circle, or of which one deletes what the other begins to ask about.
const announce = (session: ClientSession, projectId: string, segmentId: string, tree: Tree): Promise<number> =>
  listenTo(session, projectId, `segment/${segmentId}`, eventsHeard(tree));

async function finished(projectId: string, id: string): Promise<Segment> {
  const segment = await complete(projectId, id);
  if (!segment) throw notFound('Segment');
  return segment;
}

/**
 * Changes what is given and keeps the rest. Other conditions are applied at once, to this segment and to those that ask about it, and no event is emitted for contacts that
 * comes and goes by that. Throws `not_found`, 422 `invalid_condition`, `not_found`, `invalid_combination` for conditions of a static segment, and
 * `limit_exceeded`.
 */
export async function patchSegment(ctx: Context, id: string, patch: SegmentPatch): Promise<Segment> {
  const { projectId } = ctx;
  const affected = await withReferenceLock(projectId, (session) => change(session, ctx, id, patch));
  for (const segmentId of affected) await complete(projectId, segmentId);
  return finished(projectId, id);
}

/** Resolves to the segments whose members are to be computed, each behind those that it asks about. */
async function change(session: ClientSession, ctx: Context, id: string, patch: SegmentPatch): Promise<readonly string[]> {
  const { projectId } = ctx;
  const current = await readSegment(projectId, id, session);
  const conditions = otherConditions(current, patch);
  const tree = conditions && (await checkConditions(session, projectId, conditions, id));
  if (conditions) await requireConditionRoom(session, ctx, id, conditions, current.conditions);
  const changes = { ...changedNames(current, patch), ...(conditions && tree && (await evaluatedBy(conditions, tree))) };
  if (Object.keys(changes).length === 0) return [];
  const filter = { _id: id, projectId, revision: current.revision };
  const update = { $set: { ...changes, updatedAt: new Date() }, $inc: { revision: tree ? 1 : 0 } };
  await SegmentModel.updateOne(filter, update, { session });
  if (!tree) return [];
  await announce(session, projectId, id, tree);
  return [id, ...(await recomputeDependents(session, projectId, id))];
}

/** Returns the given conditions, unless they are unchanged. */
function otherConditions({ type, conditions }: Segment, given: SegmentPatch): Conditions | null {
  if (!given.conditions) return null;
  if (type === 'static') throw invalid('conditions', 'invalid_combination', 'A static segment cannot have conditions');
  return sameJson(given.conditions, conditions) ? null : given.conditions;
}

function changedNames(current: Segment, { name, description }: SegmentPatch): Partial<Segment> {
  return {
    ...(name !== undefined && name !== current.name && { name }),
    ...(description !== undefined && description !== current.description && { description }),
  };
}

/** Recomputes segments that ask about an edited one, as part of the edit. */
async function recomputeDependents(session: ClientSession, projectId: string, id: string): Promise<readonly string[]> {
  const dependents = (await loadOrder(projectId, session)).dependentsOf(id).map(({ segmentId }) => segmentId);
  const now = await databaseNow();
  const filter = { _id: { $in: [...dependents] }, projectId };
  await SegmentModel.updateMany(filter, { $set: { computing: true, filledAt: now, sweepAt: now }, $inc: { revision: 1 } }, { session });
  return dependents;
}

/** Deletes a segment; its members go with it, without events. Throws `not_found`, `in_use`. */
export async function deleteSegment(ctx: Context, id: string): Promise<void> {
  const { projectId } = ctx;
  await withReferenceLock(projectId, async (session) => {
    await requireFound(projectId, id, session);
    await refuseWhileUsed(session, projectId, id);
    await SegmentModel.deleteOne({ _id: id, projectId }, { session });
    await noteRemoval(session, projectId, id, await databaseNow());
    await listenTo(session, projectId, `segment/${id}`, []);
  });
  await afterwards(ctx.core, 'Members of a deleted segment are left to the sweep', () =>
    removeMembersOf(projectId, id, performance.now() + REMOVING_MS),
  );
}

const PAGE = 5_000;
const ROWS_AT_A_TIME = 100;

/** Notes, in the transaction of a segment's deletion, that its members are to be removed: they can be too many for one. */
async function noteRemoval(session: ClientSession, projectId: string, segmentId: string, at: Date): Promise<void> {
  const row: SegmentRemoval = { _id: segmentId, projectId, at };
  await SegmentRemovalModel.create([row], { session });
}

/** Removes the members of a deleted segment until none is left or `until` (of `performance.now()`) has come. Resolves to whether none is left. */
export async function removeMembersOf(projectId: string, segmentId: string, until: number): Promise<boolean> {
  const members = SegmentMemberModel.collection;
  for (;;) {
    const rows = await members.find({ _id: idsOf(segmentId) }, { projection: { _id: 1 }, limit: PAGE }).toArray();
    if (rows.length > 0) await members.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) }, projectId });
    if (rows.length < PAGE) return true;
    if (performance.now() > until) return false;
  }
}

/** Finishes deletions; also what was in the middle of a transaction meanwhile. Safe to repeat. Resolves to how many are finished. */
export async function sweepRemovals(now: Date): Promise<number> {
  const rows = await SegmentRemovalModel.find({ at: { $lte: new Date(now.getTime() - IN_FLIGHT_MS) } })
    .sort({ at: 1, _id: 1 })
    .limit(ROWS_AT_A_TIME)
    .lean<SegmentRemoval[]>();
  for (const { _id, projectId } of rows) {
    await removeMembersOf(projectId, _id, Number.POSITIVE_INFINITY);
    await CountChangeModel.deleteMany({ projectId, segmentId: _id });
    await SegmentRemovalModel.deleteOne({ _id, projectId });
  }
  return rows.length;
}
